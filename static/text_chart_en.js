// The words of charts in English; loaded with the first one.
export const ENGLISH = {
    charts: {
        table: 'Table',
        table_of: (title) => `Table: ${title}`,
        svg: 'SVG',
        svg_of: (title) => `SVG: ${title}`,
        png: 'PNG',
        png_of: (title) => `PNG: ${title}`,
    },
};
