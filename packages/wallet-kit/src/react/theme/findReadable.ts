import { getContrastRatio } from '@mui/material/styles'

/** Contrast that WCAG 2.2 requires for text at level AA. */
export const minContrast = 4.5

/** Returns the first of the text colours that is readable on `color`. */
export function findReadable(color: string, texts: readonly string[]): string | undefined {
  return texts.find((text) => getContrastRatio(text, color) >= minContrast)
}
