// Drawn by web3icons, MIT: https://github.com/0xa3k5/web3icons
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' fill='none' viewBox='0 0 24 24'%3E%3Cg clip-path='url(%23okx__a)'%3E%3Cpath fill='%23000' d='M24 0H0v24h24z'/%3E%3Cpath fill='%23fff' d='M4 4h5.333v5.333H4zm10.667 5.333H9.333v5.334H4V20h5.333v-5.333h5.334V20H20v-5.333h-5.333zm0 0V4H20v5.333z'/%3E%3C/g%3E%3Cdefs%3E%3CclipPath id='okx__a'%3E%3Cpath fill='%23fff' d='M0 0h24v24H0z'/%3E%3C/clipPath%3E%3C/defs%3E%3C/svg%3E"
