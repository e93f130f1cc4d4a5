/** The whole address, four by four, so that two can be compared by eye. */
export const inGroups = (address: string): string => `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`
