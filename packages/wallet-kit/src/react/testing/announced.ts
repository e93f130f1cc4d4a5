/** Returns what the live region of the open dialog says. */
export const announced = () => document.querySelector('dialog [aria-live="polite"]')?.textContent
