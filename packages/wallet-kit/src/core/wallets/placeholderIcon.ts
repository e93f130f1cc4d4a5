/** The icon of wallets without their own icon. */
export const placeholderIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='none' stroke='%23777' stroke-width='1.5' stroke-linejoin='round' d='M4 7.5A1.5 1.5 0 0 1 5.5 6H18v3M4 7.5V17a2 2 0 0 0 2 2h14V9H5.5A1.5 1.5 0 0 1 4 7.5M16 14h.01'/%3E%3C/svg%3E"
