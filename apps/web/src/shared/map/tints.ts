import type { Theme } from '@mui/material/styles'

/** Percentage of the growth colour in the background, by step. All have enough contrast with the text. */
const shares = [0, 12, 24, 38, 54]

/** Returns the styles of the steps of growth, for elements with `data-step`. A rise is red in Chinese, green elsewhere. */
export const growthTints = ({ vars }: Theme) => ({
  '&[data-tone="red"]': { '--growth': vars?.palette.error.main },
  '&[data-tone="green"]': { '--growth': vars?.palette.primary.main },
  ...Object.fromEntries(
    shares.map((share, step) => [
      `& [data-step="${step}"]`,
      {
        fill:
          step === 0
            ? `color-mix(in srgb, ${vars?.palette.text.primary} 9%, ${vars?.palette.background.default})`
            : `color-mix(in srgb, var(--growth) ${share}%, ${vars?.palette.background.default})`,
      },
    ]),
  ),
})
