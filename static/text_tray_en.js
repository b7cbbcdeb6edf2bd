// The words of the tray of cards to compare, in English.
export const ENGLISH = {
    tray: {
        title: 'Cards to compare',
        box: (name) => `Compare ${name}`,
        chosen: (n) => `${n} chosen`,
        added: (name, n, most) => `${name} is chosen, ${n} of at most ${most}.`,
        remove: (name) => `Take ${name} out`,
        one_more: 'Choose one more to compare.',
        compare: (n) => `Compare ${n}`,
        clear: 'Clear',
        cleared: 'No card is chosen.',
        full: (most, name) => `${most} cards are the most that can be compared. Take one out to add ${name}.`,
    },
};
