/** Returns the texts that have been announced to screen readers in the last seconds. */
export const announced = (): string[] =>
  [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    [...(shadowRoot?.querySelectorAll('[aria-live] *') ?? [])].map(({ textContent }) => textContent ?? ''),
  )
