// Drawn by web3icons, MIT: https://github.com/0xa3k5/web3icons
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' fill='none' viewBox='0 0 24 24'%3E%3Cg clip-path='url(%23trust__a)'%3E%3Cpath fill='%230500FF' d='M24 0H0v24h24z'/%3E%3Cpath fill='%23fff' d='M4.8 6.311 12 4v16c-5.143-2.134-7.2-6.222-7.2-8.533zm14.4 0L12 4v16c5.143-2.134 7.2-6.222 7.2-8.533z'/%3E%3C/g%3E%3Cdefs%3E%3CclipPath id='trust__a'%3E%3Cpath fill='%23fff' d='M0 0h24v24H0z'/%3E%3C/clipPath%3E%3C/defs%3E%3C/svg%3E"
