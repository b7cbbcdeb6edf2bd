// 怎么选：各条规则（简体中文）。规则里的数字向接口查询，见 choose_rules.js。
export const CHINESE = {
    choose: {
        lead: '二十一条规则，按起作用的先后排列。带点线的数字都是当前的，可以点开看来源。',
        contents: '目录',
        often_said: '常见的错误说法',
        ask: '问一问',
        no_answer: 'gpuwise 没有响应；没有这些数字，规则照样成立。',
        needs: (gib) => `${gib} GiB 显存`,
        needs_floor: (gib) => `显存至少 ${gib} GiB`,
        pick: (count, condition, name, price) => `${count === 1 ? '' : `${count} 块`}${condition} ${name}，约 ${price}`,
        nothing: '没有合适的卡',
        frameworks: {pytorch: 'PyTorch', tensorflow: 'TensorFlow', jax: 'JAX', vllm: 'vLLM', rocm: 'ROCm', directml: 'DirectML'},
        systems: {linux: 'Linux', windows: 'Windows', wsl: 'WSL'},
        verdicts: {good: '值得买。', fair: '价格还行。', poor: '太贵。', avoid: '不要买。', unknown: '无法判断。'},
        heads: {
            card: '显卡',
            at_least: '最低显存（GiB）',
            cheapest: '目前最便宜',
            price: '当前价格',
            budget: '预算',
            first: '入门首选',
            plan: '方案',
            month: '每月',
            session: '单次会话（小时）',
            china: '从中国大陆访问',
            day: '价格日期',
            framework: '框架',
            status: '状态',
        },
        from_to: (from, to) => `${from} 至 ${to}`,
        up_to: (to) => `${to} 以内`,
        above: (from) => `${from} 以上`,
        supply: (factor, base) => `电源按各卡功耗之和的 ${factor} 倍计算，再为其余部件加 ${base} W。`,
        groups: {
            memory: '先看显存',
            speed: '再看速度',
            software: '软件决定能用多久',
            machine: '机器也要配得上',
            money: '钱和时机',
            several: '多卡与共用',
            rent: '租用',
        },
        rules: {
            'memory-first': {
                head: '显存优先于速度',
                text: '卡慢，只是多等一会儿；显存不够，根本跑不起来。所以先问装不装得下、还剩多少，再问快不快。' +
                    '减小批量能省显存，代价是训练时间变长。',
                more: '用 Adam 做混合精度全参数微调，还没算激活值，每个参数就要 16 字节：权重 2 字节，梯度 2 字节，' +
                    'FP32 副本和优化器状态 12 字节。QLoRA 冻结的权重每个约占 4 位。',
                source: 'ZeRO 论文，arXiv:1910.02054 第 3.1 节；QLoRA 论文，arXiv:2305.14314 第 3 节',
                figures: '各档显存目前最低多少钱（能用新版 CUDA）',
                asks: {qlora: '用 QLoRA 微调 7B 模型', lora: '同一个模型用 LoRA', full: '全参数微调，用服务器'},
            },
            floors: {
                head: '记住各领域的底线',
                text: '还没定模型时：4 GB 可以试试手，8 GB 够日常学习，12 GB 可以做图像、视频、音频方面的研究。' +
                    '12 GB 以上能用更大的数据和批量，价格也从这里开始猛涨。',
                more: '语言模型和图像生成不能只看底线。写明模型，就能算出要多少显存。',
                asks: {learn: '入门深度学习', vision: '训练图像网络', diffusion: '生成图像'},
            },
            input: {
                head: '看输入的是什么',
                text: '一份医学影像或一段长视频，一个样本就能占满一块卡。图像和声音少一些，短文本和表格很少。',
                said: {text_small: {
                    claim: '处理文本不费显存。',
                    right: '语言模型不是这样：权重、优化器状态和长上下文的缓存都很大。',
                }},
                asks: {medical: '训练医学影像网络', tabular: '训练表格数据', long: '运行 Llama 3.1 8B，上下文 32,768 词元'},
            },
            roomier: {
                head: '同价选显存大的',
                text: '显存以后加不了，模型却越来越大。两块卡价格相同，就选显存更大的，慢一点也值得。gpuwise 排名时，余下的显存也算加分。',
                asks: {images: '500 美元训练图像网络', sound: '500 美元训练语音网络'},
            },
            parallel: {
                head: '用 GPU，不用 CPU',
                text: '神经网络的计算大半是大矩阵相乘。CPU 的核心少，什么都能做；GPU 有成千上万个简单核心，同时做同一步运算。' +
                    '张量核心和 TPU 更进一步，专为矩阵乘法而造，别的几乎不做。',
                asks: {resnet: '训练 ResNet-50'},
            },
            'tensor-rates': {
                head: '比张量算力，不比核心数',
                text: '显存够了，算力越高越好，有张量核心更是大大加分。但不同代的核心不能按个数比。' +
                    '要比张量核心的 FP16 稠密算力，还要比带宽：生成文本的速度就卡在带宽上。',
                figures: '几款卡的算力',
                said: {
                    fp32: {
                        claim: 'RTX 4090 有 82.6 TFLOPS，RTX 3090 有 35.6 TFLOPS。',
                        right: '那是着色器的 FP32 算力，数字没错，但不能用来排名。FP16 稠密、FP32 累加时是 165 和 71。',
                    },
                    sparse: {
                        claim: 'A100 有 624 TFLOPS。',
                        right: 'FP16 和 BF16 稠密是 312；624 是按 2:4 稀疏算的。',
                    },
                    v100: {
                        claim: 'V100 有 149 TFLOPS。',
                        right: 'SXM2 版是 125，PCIe 版是 112，V100S 是 130。',
                    },
                    p100: {
                        claim: 'P100 有 21 TFLOPS。',
                        right: '那是 FP16；FP32 是 10.6，而且没有张量核心。它还有 12 GB 的版本。',
                    },
                    dual: {
                        claim: 'RX 7900 XTX 有 61 TFLOPS。',
                        right: '那是按双发射算的，实际代码很少能达到。',
                    },
                },
                asks: {resnet: '训练 ResNet-50', llama: '运行 Llama 3.1 8B'},
            },
            formats: {
                head: '按数值格式选架构',
                text: '混合精度省显存也省时间，而能用哪些格式由架构决定。张量核心始于 Volta，计算能力 7.0；' +
                    'BF16 和 TF32 始于 8.0，FP8 始于 8.9，FP4 始于 10.0。',
                figures: '几种架构有什么',
                said: {
                    turing: {claim: '计算能力 7.x 是 Turing。', right: '7.0 是 Volta，Turing 是 7.5。'},
                    generation: {
                        claim: 'RTX 30 系是第二代张量核心。',
                        right: '是第三代。第二代在 RTX 20 系上。',
                    },
                },
                asks: {bf16: '用有 BF16 的卡，LoRA 微调 8B 模型', fp8: '用有 FP8 的卡，运行 Llama 3.1 8B'},
            },
            wait: {
                head: '等得久，才值得为速度花钱',
                text: '写代码、调试代码，卡装得下就行。长时间的训练和调参才值得用快卡。写明每月用多少小时，速度值多少钱就由它决定。',
                asks: {little: '学习，每月 20 小时', much: '训练 ResNet-50，每月 300 小时'},
            },
            support: {
                head: '买二手前先查支持',
                text: '显存大的老卡便宜，是因为软件已经不再支持。先查现在的驱动、CUDA 和 PyTorch 还支不支持它。' +
                    'CUDA 13 不再支持 Maxwell、Pascal 和 Volta，这几代的 PyTorch 安装包止于 2.14。',
                figures: '支持到哪里为止',
                said: {
                    k80_board: {
                        claim: 'K80 有 24 GB、480 GB/s、8.73 TFLOPS。',
                        right: '那是一块板上两个 GPU 的总和，一个进程各只能用一半。',
                    },
                    k80_value: {
                        claim: '二手 K80 性价比高。',
                        right: '计算能力 3.7 止于 CUDA 11.8、驱动 R470 和 PyTorch 2.6。',
                    },
                    k80_cuda: {claim: 'CUDA 11 不再支持 K80。', right: '是 CUDA 12。'},
                    k40: {claim: 'K40 也能用。', right: '它更老，是 2013 年的 Kepler 卡，现在的框架都不支持它。'},
                },
                asks: {k80: 'K80 的全部资料', used: '300 美元以内买二手卡入门', deal: '100 美元的 K80 值得买吗？'},
            },
            maker: {
                head: '图省事选 NVIDIA',
                text: '各框架都先在 CUDA 上开发和测试。AMD 要用 ROCm，支持的卡少一些，也更费功夫；DirectML 和 OpenCL 也能用，但有缺口。' +
                    '好处是同样的钱，AMD 给的显存更多。',
                figures: 'RX 7900 XTX 上能跑什么',
                asks: {linux: '用 AMD 运行 7B 模型，Linux', windows: '同样的事，Windows'},
            },
            power: {
                head: '算清功耗',
                text: '整卡功耗决定电源、散热、噪声和电费。gpuwise 给出的每项成本，都已按你写的小时数算进电费。',
                figures: '整卡功耗',
                asks: {small: '450 W 电源，入门学习', slot: '单槽工作站卡，400 W 电源'},
            },
            room: {
                head: '看卡放在哪里',
                text: '消费级显卡最划算。专业卡和服务器卡做工更好，同样的显存功耗更低，显存也更大。' +
                    '涡轮卡很吵，放机房没问题，放家里不行。没有风扇的卡要靠服务器的风道散热。',
                figures: '同一芯片的三种做法',
                asks: {desktop: '台式机，训练图像网络', server: '服务器，训练图像网络'},
            },
            tiers: {
                head: '先定预算，再挑卡',
                text: '预算分低、中、高三档，外加不限。二手卡也算，低档尤其如此；高档到顶级消费卡为止。' +
                    '小型专业卡省电，但要看仔细：T600 没有张量核心。',
                figures: '各档目前能买什么',
                asks: {low: '低预算', mid: '中等预算', high: '高预算', small: '小型专业卡'},
            },
            labels: {
                head: '想清楚最看重什么',
                text: '旗舰、高性价比、入门、非 NVIDIA：每份榜单都这么分组，组里的卡却年年在换。' +
                    'gpuwise 不写死分组，而是按每个问题算出哪块最划算、预算内哪块最快、能用的里哪块最便宜、哪块显存最大。',
                figures: '2022 年的那几组，放到今天',
                asks: {value: '1,000 美元以内最划算的', speed: '2,000 美元以内最快的', amd: '1,000 美元以内的 AMD 卡'},
            },
            patience: {
                head: '定好价格，等它降下来',
                text: '新一代一出，价格就降；一缺货，价格就涨。别在缺货时买。曾有人说 RTX 4080 低于 7,000 元就值得买；它现在值多少，算一算就知道。',
                figures: '7,000 元的 RTX 4080',
                said: {cancelled: {
                    claim: '有 12 GB 的 RTX 4080。',
                    right: '它在 2022 年 10 月就取消了，从未上市。RTX 4080 是 16 GB。',
                }},
                asks: {deal: '查这个价格', history: 'RTX 4080 历来的价格'},
            },
            unlimited: {
                head: '不差钱就用数据中心卡',
                text: '先是 A100，然后 H100，如今是 H200 和 B200：显存更大，带宽高得多，卡之间还有高速互联。',
                figures: '数据中心的卡',
                said: {bandwidth: {
                    claim: 'A100 的带宽是 1,555 GB/s。',
                    right: '只有 40 GB 版是。80 GB 版是 1,935（PCIe）或 2,039（SXM）。',
                }},
                asks: {full: '全参数微调 7B 模型，预算不限，最多 8 块卡'},
            },
            link: {
                head: '加第二块卡之前先看互联',
                text: '一起训练的卡，每一步都要交换梯度：n 块卡连成环，每块卡收发的数据量是梯度大小的 2(n−1)/n 倍。' +
                    '服务器内部靠 NVLink 和 NVSwitch，服务器之间靠 InfiniBand 或 RoCE。消费级显卡大多只有 PCIe。',
                source: 'Patarasuk 和 Yuan，2009 年，关于带宽最优的 all-reduce；NCCL 测试的性能说明',
                figures: '几款卡的 NVLink',
                said: {
                    rtx3090: {
                        claim: 'RTX 3090 没有 NVLink。',
                        right: '3090 和 3090 Ti 有，112.5 GB/s。40 系和 50 系都没有。',
                    },
                    v100: {claim: 'V100 有 NVLink。', right: '只有 SXM2 版有。'},
                },
                asks: {pair: '4,000 美元以内两块带 NVLink 的卡', llama: '最多四块卡，运行 Llama 3.1 70B'},
            },
            split: {
                head: '模型装得下，就只拆数据',
                text: '数据集很大时，让每块卡各算一部分批量，每块卡上都放完整的模型。模型装不下，再分片存放，互联上的数据量会多出一半。',
                source: 'ZeRO 论文，arXiv:1910.02054 第 7 节',
                asks: {ddp: 'BERT-large，最多四块卡，各存一份', fsdp: 'Llama 3.1 8B，最多八块卡，分片'},
            },
            mig: {
                head: '用 MIG 共用一块大卡',
                text: 'MIG 把一块数据中心卡切成几份，分给几个人用，各有各的显存。切开的几份不能合起来训练。',
                figures: '能切成几份',
                asks: {mig: '支持 MIG 的卡，预算不限'},
            },
            notebooks: {
                head: '用得少就租',
                text: 'Colab 可以免费用，但时间有限：闲置会断开，用哪种卡也不由你选；从中国大陆访问需要代理。' +
                    '它当年给的 K80 只是半块板：12 GB，2,496 个核心。租卡按小时付钱，付钱期间卡就归你用。',
                figures: '最近见到的 Colab 方案',
                asks: {offers: '租卡用 QLoRA 微调 7B 模型', break_even: '这件事是租还是买', all: '全部可租的'},
            },
            tpu: {
                head: '大规模矩阵计算可以用 TPU',
                text: 'TPU 只在谷歌云上出租，不卖。它为大矩阵乘法而造；Pod 把许多芯片连在一起，用于超大规模训练。' +
                    '除了 TensorFlow，也能跑 JAX 和 PyTorch/XLA，但不能跑 CUDA 代码。',
                figures: 'TPU 芯片每小时的价格',
                said: {
                    board: {
                        claim: '一块 TPU 有 420 TFLOPS、128 GB。',
                        right: '那是四颗 v3 芯片组成的一块板。一颗芯片是 123 TFLOPS、32 GiB。',
                    },
                    pod: {
                        claim: 'TPU 有 100 多 PFLOPS、32 TB。',
                        right: '那是一整个 v3 Pod。',
                    },
                },
                asks: {chips: '全部 TPU 芯片'},
            },
        },
    },
};
