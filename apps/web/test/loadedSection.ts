import { screen, waitFor, within } from '@testing-library/react'

/** Returns a section with choices once it has loaded. Before, another element has only its title. */
export const loadedSection = (name: string): Promise<HTMLElement> =>
  waitFor(
    () => {
      const section = screen.getByRole('region', { name })
      within(section).getAllByRole('radio')
      return section
    },
    { timeout: 60_000 },
  )
