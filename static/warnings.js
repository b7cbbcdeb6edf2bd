// Which warnings may cost money or time, and which only ask for a look at the machine.

const TO_CHECK = ['psu-large', 'eps-power', 'many-slots', 'long-board', 'discontinued', 'no-display-output', 'no-nvlink',
    'no-fp8', 'loud-blower', 'lowest-power'];
const OF_AGE = ['price-stale', 'price-very-old'];

/** Whether a warning only asks for a look at the machine. */
export function isNote({code}) {
    return TO_CHECK.includes(code);
}

/** Whether a warning tells the age of the price. */
export function isOfAge({code}) {
    return OF_AGE.includes(code);
}

/** Warnings by weight: the age of the price is part of the price and comes first, what to look at last; else as they came. */
export function byWeight(warnings) {
    const weight = (warning) => (isOfAge(warning) ? 0 : isNote(warning) ? 2 : 1);
    return warnings.toSorted((one, other) => weight(one) - weight(other));
}
