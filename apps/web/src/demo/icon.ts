/** Icon of the demo wallet: the product's motif. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#0B7A63"/><g fill="none" stroke="#FBFAF7" stroke-width="2"><path d="M14 13v14M14 16c0 7 4 7 9 7"/><circle cx="14" cy="10" r="3"/><circle cx="14" cy="30" r="3"/><circle cx="26" cy="23" r="3"/></g></svg>`

export const demoWalletIcon: `data:image/svg+xml,${string}` = `data:image/svg+xml,${encodeURIComponent(svg)}`
