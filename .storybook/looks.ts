export type Look = { width: 'wide' | 'compact' | 'phone'; colorScheme: 'light' | 'dark'; locale: 'en' | 'zh-CN' }

/**
 * In which looks a state of a dialog or of the button is checked. Each set has every width, both colour schemes and both
 * languages; both together have every pair of them. States take the sets in turn.
 */
export const looks: readonly (readonly Look[])[] = [
  [
    { width: 'wide', colorScheme: 'light', locale: 'en' },
    { width: 'compact', colorScheme: 'light', locale: 'zh-CN' },
    { width: 'phone', colorScheme: 'dark', locale: 'en' },
  ],
  [
    { width: 'wide', colorScheme: 'dark', locale: 'zh-CN' },
    { width: 'compact', colorScheme: 'dark', locale: 'en' },
    { width: 'phone', colorScheme: 'light', locale: 'zh-CN' },
  ],
]
