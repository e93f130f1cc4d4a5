/** Formats an address in groups of four, so that two can be compared by eye. */
export const formatInGroups = (address: string): string => `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`
