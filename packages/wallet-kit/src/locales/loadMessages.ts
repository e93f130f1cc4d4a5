import type { Locale, Translation } from './locales.ts'

/** Loads all texts of a language. */
export const loadMessages = (locale: Locale): Promise<Translation> =>
  import('./files.ts').then(({ files }) => files[locale]())
