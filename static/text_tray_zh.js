// The words of the tray of cards to compare, in Simplified Chinese.
export const CHINESE = {
    tray: {
        title: '待对比的显卡',
        box: (name) => `对比 ${name}`,
        chosen: (n) => `已选 ${n} 款`,
        added: (name, n, most) => `已选 ${name}，共 ${n} 款，最多 ${most} 款。`,
        remove: (name) => `移除 ${name}`,
        one_more: '再选一款就能对比。',
        compare: (n) => `对比 ${n} 款`,
        clear: '清空',
        cleared: '没有选中的卡。',
        full: (most, name) => `最多对比 ${most} 款，先移除一款，才能加入 ${name}。`,
    },
};
