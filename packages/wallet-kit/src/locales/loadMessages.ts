import type { Locale, Translation } from './locales.ts'

/** Every text of a language: one file for each. */
export const loadMessages = (locale: Locale): Promise<Translation> =>
  import('./files.ts').then(({ files }) => files[locale]())
