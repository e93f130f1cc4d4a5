/** Matches an address in any case. Does not verify its checksum. */
export const addressPattern = /^0x[0-9a-fA-F]{40}$/

/** Matches the start of an address: 0x and 2 to 40 hex digits. */
export const prefixPattern = /^0x[0-9a-fA-F]{2,40}$/
