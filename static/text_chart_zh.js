// The words of charts in Simplified Chinese; loaded with the first one.
export const CHINESE = {
    charts: {
        table: '表格',
        table_of: (title) => `表格：${title}`,
        svg: 'SVG',
        svg_of: (title) => `SVG：${title}`,
        png: 'PNG',
        png_of: (title) => `PNG：${title}`,
    },
};
