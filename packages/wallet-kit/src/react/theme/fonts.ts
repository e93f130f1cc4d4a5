/** CSS variable with the font of the kit's own theme. */
export const fontVariable = '--wallet-kit-sans'

/** Font of addresses. */
export const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
