// How to choose: the order of the rules, which figures of the API each shows, and the questions it leads to.

/**
 * A rule; its words are choose.rules of the texts.
 *
 * @typedef {object} Rule
 * @property {string} id anchor in the address, and name of its words
 * @property {string} article which advice of the articles behind this page it is
 * @property {{kind: string}} [live] figures to ask for; kind is a maker of choose_live.js, the rest is for it
 * @property {Record<string, string>} asks addresses of the page, by the names of their words
 */

const K80 = 'nvidia-tesla-k80';

/** The groups in the order in which they decide, each with its rules. */
export const GROUPS = [
    ['memory', [
        {
            id: 'memory-first',
            article: 'A2',
            live: {kind: 'cheapest', memories: [8, 12, 16, 24, 32, 48]},
            asks: {
                qlora: '/?task=qlora&model=7b',
                lora: '/?task=lora&model=7b',
                full: '/?task=finetune&model=7b&chassis=server',
            },
        },
        {
            id: 'floors',
            article: 'A3',
            asks: {
                learn: '/?task=learn',
                vision: '/?task=train&domain=vision',
                diffusion: '/?task=inference&domain=diffusion&model=sdxl',
            },
        },
        {
            id: 'input',
            article: 'A15',
            asks: {
                medical: '/?task=train&domain=medical-imaging',
                tabular: '/?task=train&domain=tabular',
                long: '/?task=inference&model=llama-3.1-8b&context=32768',
            },
        },
        {
            id: 'roomier',
            article: 'A4',
            asks: {images: '/?task=train&domain=vision&budget=500', sound: '/?task=train&domain=speech&budget=500'},
        },
    ]],
    ['speed', [
        {id: 'parallel', article: 'A1', asks: {resnet: '/?task=train&model=resnet-50'}},
        {
            id: 'tensor-rates',
            article: 'A5',
            live: {
                kind: 'cards',
                facts: ['fp32_tflops', 'tensor_fp16_tflops', 'memory_bandwidth_gb_s'],
                cards: ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090', 'amd-radeon-rx-7900-xtx', 'nvidia-a100-sxm4-80gb',
                    'nvidia-tesla-v100-sxm2-16gb', 'nvidia-tesla-p100-sxm2-16gb'],
            },
            asks: {resnet: '/?task=train&model=resnet-50', llama: '/?task=inference&model=llama-3.1-8b'},
        },
        {
            id: 'formats',
            article: 'A6',
            live: {
                kind: 'cards',
                facts: ['architecture', 'compute_capability', 'bf16', 'fp8'],
                cards: ['nvidia-tesla-v100-sxm2-16gb', 'nvidia-tesla-t4', 'nvidia-a100-sxm4-80gb', 'nvidia-geforce-rtx-4090',
                    'nvidia-h100-sxm5-80gb', 'nvidia-geforce-rtx-5090'],
            },
            asks: {
                bf16: '/?task=lora&model=llama-3.1-8b&needs=bf16',
                fp8: '/?task=inference&model=llama-3.1-8b&needs=fp8',
            },
        },
        {
            id: 'wait',
            article: 'A16',
            asks: {
                little: '/?task=learn&hours_per_month=20',
                much: '/?task=train&model=resnet-50&hours_per_month=300',
            },
        },
    ]],
    ['software', [
        {
            id: 'support',
            article: 'A7',
            live: {
                kind: 'cards',
                facts: ['memory_per_process_gib', 'support', 'price'],
                cards: [K80, 'nvidia-tesla-m40-24gb', 'nvidia-tesla-p100-pcie-16gb', 'nvidia-tesla-p4', 'nvidia-tesla-v100-pcie-16gb',
                    'nvidia-tesla-t4', 'nvidia-geforce-rtx-2080'],
            },
            asks: {
                k80: `/?view=card&id=${K80}`,
                used: '/?task=learn&condition=used&budget=300',
                deal: `/?view=deal&gpu=${K80}&price=100`,
            },
        },
        {
            id: 'maker',
            article: 'A9',
            live: {
                kind: 'software',
                card: 'amd-radeon-rx-7900-xtx',
                frameworks: ['pytorch', 'tensorflow', 'jax', 'llama.cpp', 'vllm', 'rocm', 'directml'],
            },
            asks: {
                linux: '/?task=inference&model=7b&vendor=amd&os=linux',
                windows: '/?task=inference&model=7b&vendor=amd&os=windows',
            },
        },
    ]],
    ['machine', [
        {
            id: 'power',
            article: 'A8',
            live: {
                kind: 'power',
                facts: ['tdp_watts', 'recommended_psu_watts'],
                cards: ['nvidia-rtx-a2000-12gb', 'nvidia-rtx-a4000', 'nvidia-geforce-rtx-3060-ti', 'nvidia-geforce-rtx-3090',
                    'nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-5090'],
            },
            asks: {
                small: '/?task=learn&psu_watts=450',
                slot: '/?task=learn&segment=workstation&psu_watts=400&max_slots=1',
            },
        },
        {
            id: 'room',
            article: 'A10',
            live: {
                kind: 'cards',
                facts: ['memory_gib', 'tdp_watts', 'cooling', 'price'],
                cards: ['nvidia-geforce-rtx-4090', 'nvidia-rtx-6000-ada', 'nvidia-l40s'],
            },
            asks: {
                desktop: '/?task=train&domain=vision&chassis=desktop',
                server: '/?task=train&domain=vision&chassis=server',
            },
        },
    ]],
    ['money', [
        {
            id: 'tiers',
            article: 'A12',
            live: {kind: 'tiers'},
            asks: {
                low: '/?task=learn&tier=low',
                mid: '/?task=learn&tier=mid',
                high: '/?task=learn&tier=high',
                small: '/?task=learn&segment=workstation&budget=1000',
            },
        },
        {
            id: 'labels',
            article: 'A21',
            live: {
                kind: 'cards',
                facts: ['memory_gib', 'tensor_fp16_tflops', 'price'],
                cards: ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090', 'nvidia-geforce-rtx-4080', 'nvidia-geforce-rtx-4070-ti',
                    'nvidia-geforce-rtx-3060-ti', 'nvidia-geforce-rtx-3060-12gb', 'amd-radeon-rx-7900-xtx'],
            },
            asks: {
                value: '/?task=learn&budget=1000&prefer=value',
                speed: '/?task=learn&budget=2000&prefer=speed',
                amd: '/?task=learn&budget=1000&vendor=amd',
            },
        },
        {
            id: 'patience',
            article: 'A18',
            live: {kind: 'deal', gpu: 'nvidia-geforce-rtx-4080', price: 7000, currency: 'CNY'},
            asks: {
                deal: '/?view=deal&gpu=nvidia-geforce-rtx-4080&price=7000&currency=CNY',
                history: '/?view=card&id=nvidia-geforce-rtx-4080',
            },
        },
        {
            id: 'unlimited',
            article: 'A11',
            live: {
                kind: 'cards',
                facts: ['memory_gib', 'memory_bandwidth_gb_s', 'tensor_fp16_tflops', 'price'],
                cards: ['nvidia-a100-pcie-40gb', 'nvidia-a100-sxm4-80gb', 'nvidia-h100-sxm5-80gb', 'nvidia-h200-sxm-141gb',
                    'nvidia-b200-sxm-180gb'],
            },
            asks: {full: '/?task=finetune&model=7b&tier=unlimited&max_gpus=8'},
        },
    ]],
    ['several', [
        {
            id: 'link',
            article: 'A13',
            live: {
                kind: 'cards',
                facts: ['nvlink_gb_s', 'pcie_gen'],
                cards: ['nvidia-geforce-rtx-3090', 'nvidia-geforce-rtx-3090-ti', 'nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-5090',
                    'nvidia-tesla-v100-pcie-16gb', 'nvidia-tesla-v100-sxm2-16gb', 'nvidia-a100-sxm4-80gb', 'nvidia-h100-sxm5-80gb'],
            },
            asks: {
                pair: '/?task=train&needs=nvlink&max_gpus=2&budget=4000',
                llama: '/?task=inference&model=llama-3.1-70b&max_gpus=4',
            },
        },
        {
            id: 'split',
            article: 'A14',
            asks: {
                ddp: '/?task=train&model=bert-large&strategy=ddp&max_gpus=4',
                fsdp: '/?task=train&model=llama-3.1-8b&strategy=fsdp&max_gpus=8&tier=unlimited',
            },
        },
        {
            id: 'mig',
            article: 'A17',
            live: {
                kind: 'cards',
                facts: ['mig_max_instances', 'memory_gib', 'price'],
                cards: ['nvidia-a30', 'nvidia-a100-pcie-40gb', 'nvidia-a100-sxm4-80gb', 'nvidia-h100-pcie-80gb'],
            },
            asks: {mig: '/?task=train&needs=mig&tier=unlimited'},
        },
    ]],
    ['rent', [
        {
            id: 'notebooks',
            article: 'A19',
            live: {kind: 'plans', provider: 'Google Colab'},
            asks: {
                offers: '/?view=cloud&task=qlora&model=7b',
                break_even: '/?task=qlora&model=7b&condition=used',
                all: '/?view=cloud',
            },
        },
        {
            id: 'tpu',
            article: 'A20',
            live: {kind: 'chips'},
            asks: {chips: '/?view=cloud&tpu_sort=usd_per_hour'},
        },
    ]],
];

/** All rules in order. */
export const RULES = GROUPS.flatMap(([, rules]) => rules);
