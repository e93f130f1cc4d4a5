/** Returns whether contracts use an address for "no referrer". */
export const isSentinel = (address: string): boolean => /^0x(0{40}|0{36}dead)$/i.test(address)
