// How to choose: the rules in English. What they say in figures is asked of the API; see choose_rules.js.
export const ENGLISH = {
    choose: {
        lead: 'Twenty-one rules, in the order in which they decide. Figures with a dotted line are today’s, with their source.',
        contents: 'Contents',
        often_said: 'Often said, and not so',
        ask: 'Questions to ask',
        no_answer: 'gpuwise does not answer; the rule holds without its figures.',
        needs: (gib) => `${gib} GiB`,
        needs_floor: (gib) => `at least ${gib} GiB`,
        pick: (count, condition, name, price) => `${count === 1 ? '' : `${count} × `}${name}, ${condition}, about ${price}`,
        nothing: 'nothing fits',
        frameworks: {pytorch: 'PyTorch', tensorflow: 'TensorFlow', jax: 'JAX', vllm: 'vLLM', rocm: 'ROCm', directml: 'DirectML'},
        systems: {linux: 'Linux', windows: 'Windows', wsl: 'WSL'},
        verdicts: {good: 'A good buy.', fair: 'Fair.', poor: 'Too dear.', avoid: 'Do not buy it.', unknown: 'Not known.'},
        heads: {
            card: 'Card',
            at_least: 'Memory, at least, GiB',
            cheapest: 'Cheapest now',
            price: 'Price now',
            budget: 'Budget',
            first: 'First pick to learn with',
            plan: 'Plan',
            month: 'A month',
            session: 'Session, hours',
            china: 'From mainland China',
            day: 'Seen',
            framework: 'Framework',
            status: 'Status',
        },
        from_to: (from, to) => `${from} to ${to}`,
        up_to: (to) => `up to ${to}`,
        above: (from) => `above ${from}`,
        supply: (factor, base) => `The supply is counted as ${factor} × the power of the cards, and ${base} W for the rest.`,
        groups: {
            memory: 'Memory first',
            speed: 'Then speed',
            software: 'Software decides how long',
            machine: 'The machine around it',
            money: 'Money and time',
            several: 'Several cards, and shared ones',
            rent: 'Rent instead',
        },
        rules: {
            'memory-first': {
                head: 'Put memory before speed',
                text: 'A slow card makes you wait; a card that is too small does not run the work at all. So ask first what fits, with ' +
                    'room to spare, and only then what is fast. A smaller batch saves memory and costs training time.',
                more: 'Full fine-tuning with Adam in mixed precision takes 16 bytes per parameter before any activation: 2 for the ' +
                    'weight, 2 for the gradient, 12 for the FP32 copy and the optimizer. QLoRA keeps its frozen weights in about 4 bits.',
                source: 'ZeRO, arXiv:1910.02054, section 3.1; QLoRA, arXiv:2305.14314, section 3',
                figures: 'What each memory costs now, with current CUDA',
                asks: {qlora: 'QLoRA of a 7B model', lora: 'LoRA of the same model', full: 'All its weights, in a server'},
            },
            floors: {
                head: 'Know the floor of your field',
                text: 'With no model in mind, 4 GB are enough to try things out, 8 GB to learn every day, and 12 GB for research with ' +
                    'images, video or sound. Above 12 GB come larger data and batches, and there the prices climb.',
                more: 'Language models and image generation need more than a floor. Name the model: then the need is computed.',
                asks: {learn: 'Learn deep learning', vision: 'Train on images', diffusion: 'Generate images'},
            },
            input: {
                head: 'Look at what goes in',
                text: 'A medical volume or a long video fills a card with one sample. Images and sound take less, short texts and ' +
                    'tables little.',
                said: {text_small: {
                    claim: 'Text needs little memory.',
                    right: 'Not with language models: weights, optimizer and the cache of a long context are large.',
                }},
                asks: {
                    medical: 'Train on medical images',
                    tabular: 'Train on tables',
                    long: 'Run Llama 3.1 8B with 32,768 tokens of context',
                },
            },
            roomier: {
                head: 'At the same price, take the roomier card',
                text: 'Memory cannot be added later, and models grow. Of two cards that cost the same take the one with more memory, ' +
                    'even when it is a little slower. gpuwise counts free memory in favor of a card.',
                asks: {images: 'Train on images with 500 USD', sound: 'Train on speech with 500 USD'},
            },
            parallel: {
                head: 'Use a GPU, not a CPU',
                text: 'A network is mostly products of large matrices. A CPU has a few cores for any kind of work; a GPU has ' +
                    'thousands of simple ones that take the same step side by side. Tensor cores and TPUs go further: they are ' +
                    'built to multiply matrices and do little else.',
                asks: {resnet: 'Train ResNet-50'},
            },
            'tensor-rates': {
                head: 'Compare tensor rates, not core counts',
                text: 'After memory, more arithmetic is better, and tensor cores are a strong plus. But cores of two generations ' +
                    'cannot be counted against each other. Compare the dense FP16 rate of the tensor cores, and the bandwidth: ' +
                    'that is what limits the writing of text.',
                figures: 'The rates of some cards',
                said: {
                    fp32: {
                        claim: 'An RTX 4090 has 82.6 TFLOPS, an RTX 3090 35.6.',
                        right: 'That is FP32 of the shaders: right as such, wrong for a ranking. Dense FP16 with FP32 accumulate ' +
                            'is 165 and 71.',
                    },
                    sparse: {
                        claim: 'An A100 has 624 TFLOPS.',
                        right: 'Dense FP16 and BF16 are 312; 624 counts 2:4 sparsity.',
                    },
                    v100: {
                        claim: 'A V100 has 149 TFLOPS.',
                        right: 'It is 125 for the SXM2 module, 112 for PCIe and 130 for the V100S.',
                    },
                    p100: {
                        claim: 'A P100 has 21 TFLOPS.',
                        right: 'In FP16; it is 10.6 in FP32, and there are no tensor cores. There is one with 12 GB, too.',
                    },
                    dual: {
                        claim: 'An RX 7900 XTX has 61 TFLOPS.',
                        right: 'That counts two instructions at once, which code seldom reaches.',
                    },
                },
                asks: {resnet: 'Train ResNet-50', llama: 'Run Llama 3.1 8B'},
            },
            formats: {
                head: 'Choose the architecture for its number formats',
                text: 'Mixed precision saves memory and time, and the architecture decides which formats a card has. Tensor cores ' +
                    'begin with Volta, compute capability 7.0; BF16 and TF32 with 8.0, FP8 with 8.9, FP4 with 10.0.',
                figures: 'What some architectures have',
                said: {
                    turing: {claim: 'Compute capability 7.x is Turing.', right: '7.0 is Volta; Turing is 7.5.'},
                    generation: {
                        claim: 'The RTX 30 series has tensor cores of the second generation.',
                        right: 'Of the third. The second is that of the RTX 20 series.',
                    },
                },
                asks: {bf16: 'LoRA of an 8B model on a card with BF16', fp8: 'Run Llama 3.1 8B on a card with FP8'},
            },
            wait: {
                head: 'Pay for speed only where you wait',
                text: 'Writing and debugging code needs a card that holds the work, no more. Long training and tuning runs repay a ' +
                    'fast one. Say how many hours a month it will run: they decide what speed is worth.',
                asks: {little: 'Learn, 20 hours a month', much: 'Train ResNet-50, 300 hours a month'},
            },
            support: {
                head: 'Check support before you buy used',
                text: 'Old cards with much memory are cheap because their software has ended. Check that today’s driver, CUDA and ' +
                    'PyTorch still serve the card. CUDA 13 dropped Maxwell, Pascal and Volta; their PyTorch builds end with 2.14.',
                figures: 'Where support ends',
                said: {
                    k80_board: {
                        claim: 'A K80 has 24 GB, 480 GB/s and 8.73 TFLOPS.',
                        right: 'Those are of a board with two GPUs. One process sees half of each.',
                    },
                    k80_value: {
                        claim: 'A used K80 is good value.',
                        right: 'Compute capability 3.7 ends at CUDA 11.8, driver R470 and PyTorch 2.6.',
                    },
                    k80_cuda: {claim: 'CUDA 11 dropped the K80.', right: 'CUDA 12 did.'},
                    k40: {claim: 'A K40 would do.', right: 'It is older still, a Kepler card of 2013. No current framework runs on it.'},
                },
                asks: {k80: 'The K80 in full', used: 'Learn with a used card up to 300 USD', deal: 'Is a K80 for 100 USD a good buy?'},
            },
            maker: {
                head: 'Take NVIDIA for the least trouble',
                text: 'CUDA is what frameworks are built and tested on first. AMD needs ROCm, which knows fewer cards and gives ' +
                    'extra work; DirectML and OpenCL exist, with gaps. In return AMD gives more memory for the money.',
                figures: 'What runs on an RX 7900 XTX',
                asks: {linux: 'Run a 7B model on AMD, Linux', windows: 'The same under Windows'},
            },
            power: {
                head: 'Count the watts',
                text: 'Board power decides the power supply, the cooling, the noise and the bill. The energy of the hours you name ' +
                    'is part of every cost that gpuwise tells.',
                figures: 'Board power',
                asks: {small: 'Learn with a supply of 450 W', slot: 'A workstation card of one slot, 400 W'},
            },
            room: {
                head: 'Fit the card to its room',
                text: 'Consumer cards give the most for the money. Professional and server cards are better built, take less power ' +
                    'for their memory and have more of it. A blower is loud: fine in a machine room, not at home. A card without a ' +
                    'fan needs the airflow of a server.',
                figures: 'The same chip in three builds',
                asks: {desktop: 'Train on images, in a desktop', server: 'Train on images, in a server'},
            },
            tiers: {
                head: 'Set the budget before the card',
                text: 'Three budgets, and one without limit. Used cards count, most of all in the low one; the high one stops at the ' +
                    'top consumer cards. Small professional cards take little power, but look closely: a T600 has no tensor cores.',
                figures: 'What the budgets buy now',
                asks: {low: 'Low budget', mid: 'Middle budget', high: 'High budget', small: 'A small professional card'},
            },
            labels: {
                head: 'Name what you want most',
                text: 'Flagship, good value, entry, not NVIDIA: every list has these groups, and every year other cards stand in ' +
                    'them. gpuwise fixes none. It computes for each question which card is the best value, the fastest in budget, ' +
                    'the cheapest that fits and the one with most memory.',
                figures: 'The groups of 2022, today',
                asks: {value: 'Best value up to 1,000 USD', speed: 'Fastest up to 2,000 USD', amd: 'Not NVIDIA, up to 1,000 USD'},
            },
            patience: {
                head: 'Set a price, then wait for it',
                text: 'Prices fall when the next cards come and jump when there are too few. Do not buy into a shortage. An RTX 4080 ' +
                    'was once called worth it under 7,000 CNY; what it is worth now is computed.',
                figures: 'An RTX 4080 for 7,000 CNY',
                said: {cancelled: {
                    claim: 'There is an RTX 4080 with 12 GB.',
                    right: 'It was cancelled in October 2022, before it was sold. The RTX 4080 has 16 GB.',
                }},
                asks: {deal: 'Check that price', history: 'The prices of the RTX 4080 so far'},
            },
            unlimited: {
                head: 'Take data-center cards when money does not matter',
                text: 'First the A100, then the H100, today the H200 and the B200: more memory, far more bandwidth, links between ' +
                    'the cards.',
                figures: 'Cards of the data center',
                said: {bandwidth: {
                    claim: 'An A100 has 1,555 GB/s.',
                    right: 'Only the one with 40 GB. With 80 GB it is 1,935 (PCIe) or 2,039 (SXM).',
                }},
                asks: {full: 'Fine-tune a 7B model, no limit, up to 8 cards'},
            },
            link: {
                head: 'Look at the link before the second card',
                text: 'Cards that train together exchange gradients at every step: in a ring of n cards each sends and receives ' +
                    '2(n−1)/n times their size. NVLink and NVSwitch carry that inside a server, InfiniBand or RoCE between ' +
                    'servers. Most consumer cards have PCIe only.',
                source: 'Patarasuk and Yuan, 2009, on all-reduce with the least bandwidth; performance note of the NCCL tests',
                figures: 'NVLink of some cards',
                said: {
                    rtx3090: {
                        claim: 'The RTX 3090 has no NVLink.',
                        right: 'The 3090 and the 3090 Ti have it, 112.5 GB/s. No card of the 40 and 50 series does.',
                    },
                    v100: {claim: 'The V100 has NVLink.', right: 'Only the SXM2 module.'},
                },
                asks: {pair: 'Two cards with NVLink up to 4,000 USD', llama: 'Run Llama 3.1 70B on up to four cards'},
            },
            split: {
                head: 'Split the data while the model fits',
                text: 'For very large data sets let each card take its part of the batch, with the whole model on every card. When ' +
                    'the model does not fit, shard it: that moves half as much again over the link.',
                source: 'ZeRO, arXiv:1910.02054, section 7',
                asks: {ddp: 'BERT-large, copies on up to four cards', fsdp: 'Llama 3.1 8B, sharded over up to eight'},
            },
            mig: {
                head: 'Share one large card by MIG',
                text: 'MIG cuts a data-center card into slices for several users, each with memory of its own. Slices do not train ' +
                    'together.',
                figures: 'Into how many slices',
                asks: {mig: 'A card with MIG, no limit'},
            },
            notebooks: {
                head: 'Rent while the hours are few',
                text: 'Colab is free, for a limited time: it ends idle sessions and does not let you choose the card; from mainland ' +
                    'China it needs a VPN. The K80 it once gave was half a board: 12 GB and 2,496 cores. A rented card costs by ' +
                    'the hour and is yours while you pay.',
                figures: 'Colab, as last seen',
                asks: {offers: 'QLoRA of a 7B model, rented', break_even: 'Rent or buy for it', all: 'All that can be rented'},
            },
            tpu: {
                head: 'Take a TPU for large matrix work',
                text: 'Google rents TPUs and sells none. They are made for large matrix products; Pods join many for very large ' +
                    'training. They run JAX and PyTorch/XLA as well as TensorFlow, but no CUDA code.',
                figures: 'TPU chips by the hour',
                said: {
                    board: {
                        claim: 'A TPU has 420 TFLOPS and 128 GB.',
                        right: 'That is a board of four v3 chips. One chip has 123 TFLOPS and 32 GiB.',
                    },
                    pod: {
                        claim: 'A TPU has over 100 PFLOPS and 32 TB.',
                        right: 'That is a whole v3 Pod.',
                    },
                },
                asks: {chips: 'All TPU chips'},
            },
        },
    },
};
