// The words people ask with, in both languages, and what each of them means. Data for ask_words.js.
import {AMOUNT, budgetOf, MONEY, numberOf} from './ask_money.js';

/**
 * Meaning: its words, divided by |. A meaning is a parameter with its value, or one of these:
 *
 *     task:WORD      what is to be done; TASKS says which task that is, and which others it may be
 *     hint:DOMAIN    a field that follows from the verb: of no account where a model is named
 *     family:NAME    another name of a family of models
 *     skip           says nothing about the hardware
 */
export const VOCABULARY = {
    'task:qlora': 'qlora|q lora|4 bit lora|lora 4 bit|量化微调|4 位微调|四位微调',
    'task:lora': 'lora|dora|adapter|adapters|peft|适配器|低秩微调',
    'task:full': 'all weights|all the weights|full fine tuning|full fine tune|full finetune|full finetuning|fully fine tune|' +
        'full parameter|full parameters|sft full|全参数|全参|全量|全参数微调|全参微调|全量微调',
    'task:tune': 'fine|fine tune|fine tuning|fine tuned|finetune|finetuning|finetuned|tune|tuning|sft|dpo|rlhf|grpo|instruction tuning|' +
        'adapt|customize|微调|精调|调优|后训练|偏好对齐',
    'task:train': 'train|training|trained|pretrain|pre train|pretraining|pre training|from scratch|训练|预训练|从头训练|从零训练|训',
    'task:inference': 'run|running|runs|inference|infer|serve|serving|deploy|deploying|deployment|host|hosting|self host|try out a model|' +
        'local model|predict|prediction|运行|部署|推理|跑|本地跑|托管|上线|服务|预测|使用模型|本地运行|本地部署',
    'task:learn': '论文复现|复现论文|复现|reproduce papers|reproduce a paper|' +
        'learn|learning|learn deep learning|deep learning|machine learning|study|course|courses|tutorial|tutorials|homework|' +
        'coursework|beginner|start with|get started|getting started|experiment|experiments|学习|入门|自学|学|上课|课程|作业|初学|' +
        '深度学习|机器学习|学习深度学习|实验|练手|试试',
    'task:make': 'comfyui|comfy ui|automatic1111|stable diffusion webui|' +
        'chat|chat with|chatbot|talk to|draw|drawing|paint|generate images|generate pictures|' +
        'transcribe|transcribing|transcription|subtitles|dictate|text to speech|speech to text|translate|translation|summarize|' +
        'summarise|generate|write code|code|coding|coding assistant|code assistant|assistant|rag|' +
        'generate video|generate videos|ask my documents|search documents|画图|绘图|画|画画|生成图像|生成图片|生图|' +
        '生成视频|转写|转录|听写|字幕|语音识别|语音合成|翻译|摘要|总结|聊天|对话|问答|写代码|' +
        '编程|编程助手|代码助手|助手|知识库|生成',
    'task:fit': 'segment|segmenting|segmentation|classify|classifying|classification|detect|detecting|detection|recognize|recognise|' +
        'recognition|object detection|diagnose|forecast|forecasting|分割|分类|检测|识别|诊断|目标检测',

    'domain:llm': 'language model|language models|llm|llms|large language model|large language models|大模型|大语言模型|语言模型',
    'domain:nlp': 'text|texts|nlp|sentiment|text classification|embeddings|embedding|文本|文本分类|自然语言|自然语言处理|情感分析|嵌入',
    'domain:vision': 'image|images|picture|pictures|photo|photos|vision|computer vision|cv|camera|图像|图片|照片|视觉|计算机视觉|摄像头',
    'domain:video': 'video|videos|film|movies|clips|视频|影片|录像',
    'domain:medical-imaging': 'ct|mri|x ray|x rays|xray|xrays|ct volume|ct volumes|ct scan|ct scans|ct images|' +
        'mri scans|mri volumes|radiology|' +
        'medical|medical image|medical images|medical imaging|pathology|tumor|tumors|tumour|tumours|organ|organs|ultrasound|' +
        '医学影像|医学图像|医疗影像|医学|ct 影像|ct 图像|核磁|核磁共振|磁共振|病理|肿瘤|超声|x 光|x 光片|放射|器官',
    'domain:speech': 'speech|audio|voice|voices|meeting|meetings|podcast|podcasts|asr|tts|语音|音频|声音|会议|会议录音|录音|播客',
    'domain:diffusion': 'diffusion|diffusion models|image generation|text to image|generate images|generate pictures|' +
        '扩散|扩散模型|图像生成|文生图|生成图像|生成图片|生图',
    'domain:tabular': 'table|tables|tabular|kaggle|spreadsheet|spreadsheets|csv|time series|表格|结构化数据|时间序列',
    'domain:general': 'general work|anything|general|通用|什么都做',
    'hint:diffusion': 'comfyui|comfy ui|automatic1111|draw|drawing|paint|画图|绘图|画|画画',
    'hint:speech': 'transcribe|transcribing|transcription|subtitles|dictate|text to speech|speech to text|转写|转录|听写|字幕|语音识别|语音合成',
    'hint:video': 'generate video|generate videos|video generation|生成视频|视频生成|文生视频',
    'hint:llm': 'chat|chat with|chatbot|talk to|write code|code|coding|coding assistant|code assistant|assistant|rag|' +
        'ask my documents|search documents|聊天|对话|问答|写代码|编程|编程助手|代码助手|助手|知识库|sft|dpo|rlhf|grpo|instruction tuning|偏好对齐',
    'hint:nlp': 'translate|translation|summarize|summarise|翻译|摘要|总结',
    'hint:vision': 'object detection|camera|目标检测',

    'framework:pytorch': 'pytorch|torch',
    'framework:tensorflow': 'tensorflow|keras',
    'framework:jax': 'jax|flax',
    'framework:llama.cpp': 'llama.cpp|llama cpp|ollama|lm studio|gguf',
    'runtime:vllm': 'vllm',
    'os:windows': 'windows',
    'os:wsl': 'wsl|wsl2|wsl 2',
    'os:linux': 'linux|ubuntu|debian',
    'vendor:nvidia': 'nvidia|geforce|英伟达',
    'vendor:amd': 'amd|radeon|rocm',
    'vendor:intel': 'intel|英特尔',
    'vendor:huawei': 'huawei|ascend|华为|昇腾',
    'vendor:moorethreads': 'moore threads|摩尔线程',
    'condition:used': 'used|used card|second hand|secondhand|二手|二手卡|洋垃圾',
    'condition:new': 'new card|new gpu|brand new|only new|new only|全新|新卡|全新卡',
    'rent:yes': 'rent|renting|rented|cloud|租|租用|租卡|云端|云上|云',
    'prefer:value': 'best value|cheap|cheaply|cheapest|性价比|便宜|省钱',
    'prefer:speed': 'fast|fastest|quickly|as fast as possible|最快|尽快',
    'users:5': 'team|the team|small team|our team|my team|a team|团队|小组|全组|实验室|课题组|lab|the lab|our lab',
    'users:1': 'for one person|一人用|one person|myself|just me|only me|for me|one user|single user|一个人|一人|单人|个人|自己|自用',
    'batch:1': 'batch of one',
    'absent:mac': 'mac|macs|macbook|macbook pro|mac mini|mac studio|apple|apple silicon|苹果|苹果电脑',
    'quant:q4_k_m': '4 bit|4bit|int4|q4|4 位|四位',
    'quant:q8_0': '8 bit|8bit|q8|8 位|八位',

    'family:qwen': '通义千问|千问|通义',
    'family:hunyuan': '混元',
    'family:glm': '智谱|智谱清言',
    'family:kimi': '月之暗面',
    'family:sam': 'segment anything',
    'family:nnu net': 'nnunet',
    'family:whisper': 'openai whisper',
    'family:llama': 'meta llama',
    'family:gpt oss': 'gptoss',

    skip: 'a|an|the|i|we|you|me|my|our|us|it|this|that|these|some|any|want|would|like|need|to|with|for|of|on|in|at|and|or|by|from|via|' +
        'as|is|are|be|will|can|could|should|do|does|doing|what|which|how|have|has|please|let|try|use|using|used for|model|models|network|' +
        'networks|neural|neural network|neural networks|net|ai|gpu|gpus|card|cards|graphics card|hardware|machine|computer|pc|' +
        'workstation|' +
        'one|best|good|better|worth|worth it|worthwhile|deal|good deal|still|ok|okay|enough|vs|versus|than|if|not|so|just|about|around|' +
        'recommend|recommendation|recommended|suggest|suggestion|should i|thing|psu|power supply|server|rig|build|setup|laptop|' +
        'notebook|' +
        'price|money|budget|max|under|buck|second|hand|now|today|there|me|' +
        'right|buy|buying|get|choose|own|local|locally|at home|home|home lab|simple|work|working|data|dataset|datasets|' +
        'instruct|base model|weights|parameters|params|size|sized|people|person|users|user|volumes|scans|everything|open|open source|' +
        'small|big|large|based|app|tool|system|' +
        '我|我们|你|想|要|想要|需要|用|使用|在|给|把|和|与|或|的|地|得|了|吗|呢|吧|做|来|去|请|一下|一个|一块|一张|一些|个|块|张|款|这|那|' +
        '推荐|推荐一下|求推荐|值不值|值得|值得买|划算|最|最好|好|更好|哪个好|哪个更好|哪个值得买|' +
        '还|还是|还行|够|够用|吗|么|左右|大概|大约|预算|价格|钱|卖|主机|笔记本|电源|论文|' +
        '比|比较|对比|性能|会|现在|它|' +
        '能|可以|能不能|应该|该|怎么|怎样|什么|哪|哪个|哪款|哪张|买|买什么|选|选哪个|选择|显卡|卡|电脑|机器|本地|家里|家用|模型|网络|神经网络|' +
        '参数|数据|数据集|权重|上|下|里|供|为|为了|对|用于|让|基于|从|开始|将|方向|工作|相关|开源|服务器|一台|台式机|小|大|型|版|版本|搞|弄|开发|做点|点|任务|项目|以|进行',
};

/** What a word of doing asks for, the strongest first; or: the other tasks it may mean, offered as buttons. */
export const TASKS = [
    {said: 'qlora', task: 'qlora', or: []},
    {said: 'lora', task: 'lora', or: []},
    {said: 'full', task: 'finetune', or: []},
    {said: 'tune', task: 'qlora', or: ['lora', 'finetune']},
    {said: 'train', task: 'train', or: []},
    {said: 'inference', task: 'inference', or: []},
    {said: 'learn', task: 'learn', or: []},
    {said: 'make', task: 'inference', or: []},
    {said: 'fit', task: 'train', or: ['inference']},
];

/** Fields from the one that says most to the one that says least: who draws pictures means image generation. */
export const DOMAINS = ['medical-imaging', 'video', 'diffusion', 'speech', 'tabular', 'vision', 'llm', 'nlp', 'general'];

const PEOPLE = '(?:people|persons?|users?|colleagues|students|developers|friends|个 用 户|名 用 户|位 用 户|用 户|个 人|名 学 生|位 同 事|人|位)';
const LIMIT = '(?:under|below|up to|at most|max|maximum|less than|within|budget(?: of| is)?|预 算(?: 是| 为)?|不 超 过|最 多)';
const AFTER = '(?:以 内|上 下|左 右|以 下|之 内|内|左 右|max|maximum|budget|or less)';
const TOKENS = '(?:token context|tokens of context|tokens context|context window|context|tokens|个 词 元|词 元 上 下 文|词 元|上 下 文)';
const SERIES = '(?:geforce rtx|geforce gtx|radeon rx|radeon pro|rtx|gtx|rx|arc|tesla|quadro|instinct)';
const CHIP = '(?: ?(?:ti|super|xtx|xt|ada|\\d{1,2}gb|\\d{1,2} gb|d(?= |$)|s(?= |$)))*';
const BARE = '(?:[ahlvpb]\\d{2,3}[sx]?|[tlap]4|a2|t\\d{3,4}|a\\d{4}|m[46]0|[ahvltpb]\\d{3}s?|mi ?\\d{2,3}[axs]?|titan (?:rtx|xp|v|x)|' +
    '[4-9]\\d00 ?(?:xtx|xt)|mtt s ?\\d{2,4}|ascend 910[abc]?|[1-9]\\d[5-9]0(?:ti|super|d|s)?)';
const CARD = `((?:${SERIES} (?:[a-z] )?[a-z]?\\d{2,4}[a-z]{0,5}|${BARE})${CHIP})`;
const COUNT = '(\\dx?|two|three|four|双|两|三|四)(?: 张| 块| ?x)?';
const COUNTS = {two: '2', 双: '2', 两: '2', three: '3', 三: '3', four: '4', 四: '4'};

const countOf = (said) => COUNTS[said] ?? said.replace('x', '');

/* "3090s" are several of one. */
function cardName(name) {
    return name.replace(/(\d0)s$/, '$1').replace(/(\d0) s$/, '$1').replace(/(\d) gb$/, '$1gb');
}

/** Numbers with their units, on the words joined by blanks (each Chinese character is one), and what they mean. */
export const PATTERNS = [
    [`(\\d+(?:[.,]\\d+)?) ?(b|m)(?: parameters?| params?)?`, (n, unit) => ({model: `${n.replace(',', '.')}${unit}`})],
    ['(\\d+(?:\\.\\d+)?) billion(?: parameters?)?', (n) => ({model: `${n}b`})],
    ['(\\d+(?:\\.\\d+)?) million(?: parameters?)?', (n) => ({model: `${n}m`})],
    ['(\\d+(?:\\.\\d+)?) 亿(?: 参 数)?', (n) => ({model: Number(n) >= 10 ? `${Number(n) / 10}b` : `${Math.round(Number(n) * 100)}m`})],
    [`(?:for |供 |给 )?(\\d+) ${PEOPLE}(?: at once| at the same time| 同 时 用| 同 时 使 用| 使 用| 用)?`, (n) => ({users: n})],
    ['batch(?: size)?(?: of)? (\\d+)', (n) => ({batch: n})],
    ['(?:批 量|批 大 小|批 次)(?: 为)? (\\d+)', (n) => ({batch: n})],
    [`(\\d+(?:[.,]\\d+)*) ?(k)? ?${TOKENS}`, (n, unit) => ({tokens: numberOf(n, unit, 1024)})],
    ['(?:context(?: length| window| of)*|上 下 文(?: 长 度)?|sequences? of|seq(?:uence)? len(?:gth)?|序 列 长 度) (\\d+(?:[.,]\\d+)*) ?(k)?',
        (n, unit) => ({tokens: numberOf(n, unit, 1024)})],
    [`${LIMIT} ([$¥€]) ?${AMOUNT}(?: ${AFTER})?`, (currency, n, unit) => budgetOf(n, unit, currency)],
    [`(?:${LIMIT} )?${AMOUNT} ?${MONEY}(?: ${AFTER})?`, budgetOf],
    [`(?:${LIMIT} )?([$¥€]) ?${AMOUNT}(?: ${AFTER})?`, (currency, n, unit) => budgetOf(n, unit, currency)],
    [`${LIMIT} ${AMOUNT}(?: ${AFTER})?`, budgetOf],
    [`${AMOUNT} ${AFTER}`, budgetOf],
    ['(?:for )?(\\d+) ?(?:months?|个 月)', (n) => ({months: n})],
    ['(\\d+) ?(?:h|hours?)(?: a| per| each)? month', (n) => ({hours_per_month: n})],
    ['每 月 (\\d+) (?:个 )?小 时', (n) => ({hours_per_month: n})],
    ['(\\d+) ?(?:gpus|cards|块 卡|张 卡|块 显 卡|张 显 卡|卡)', (n) => ({max_gpus: n})],
    ['(?:two|双|两) (?:gpus|cards|卡|块 卡|张 卡|块 显 卡|张 显 卡)', () => ({max_gpus: '2'})],
    ['(\\d+) ?w(?:atts?)?(?: psu| power supply| 电 源)?', (n) => ({psu_watts: n})],
    [`(?:have|have got|own|got|with|on|my|already have)(?: an?| my| the| one)? ${CARD}`, (name) => ({own: cardName(name)})],
    [`(?:已 有|手 上 有|我 有|有|用|现 有|在)(?: 一 (?:块|张))? ${CARD}`, (name) => ({own: cardName(name)})],
    [`(?:have|have got|own|got|with|on|my|已 有|手 上 有|我 有|有|用|现 有|在) ${COUNT} ${CARD}`, (count, name) =>
        ({own: cardName(name), max_gpus: countOf(count)})],
    [`${COUNT} ${CARD}`, (count, name) => ({counted: cardName(name), max_gpus: countOf(count)})],
    ['(512|768|1024|1536|2048)(?: ?px|x \\d+| x \\d+)?', (n) => ({pixels: n})],
    [CARD, (name) => ({card: cardName(name)})],
    [`${CARD} (?:for|at|@|卖|要|报 价|要 价|只 要|售 价) (\\d{3,6})(?! ?(?:users?|people|h|hours?|images|tokens))`,
        (name, price) => ({card: cardName(name), budget: price})],
    [`(?:卖|报 价|要 价|售 价|开 价|asking|priced at) ${AMOUNT}`, budgetOf],
];

/** Formats of weights that are said by their own names. */
export const QUANTS = ['fp32', 'bf16', 'fp16', 'fp8', 'int8', 'nf4', 'gptq', 'awq', 'mxfp4', 'q8_0', 'q6_k', 'q5_k_m', 'q4_k_m',
    'q3_k_m', 'q2_k'];
