export type Look = { width: 'wide' | 'compact' | 'phone'; colorScheme: 'light' | 'dark'; locale: 'en' | 'zh-CN' | 'ar' }

/**
 * Lists the looks in which the states of the dialogs and the button are checked. Each set has every width, every
 * language and both colour schemes; together the sets have every pair of them. States take the sets in turn.
 */
export const looks: readonly (readonly Look[])[] = [
  [
    { width: 'wide', colorScheme: 'light', locale: 'en' },
    { width: 'compact', colorScheme: 'dark', locale: 'zh-CN' },
    { width: 'phone', colorScheme: 'light', locale: 'ar' },
  ],
  [
    { width: 'wide', colorScheme: 'dark', locale: 'zh-CN' },
    { width: 'compact', colorScheme: 'light', locale: 'ar' },
    { width: 'phone', colorScheme: 'dark', locale: 'en' },
  ],
  [
    { width: 'wide', colorScheme: 'dark', locale: 'ar' },
    { width: 'compact', colorScheme: 'light', locale: 'en' },
    { width: 'phone', colorScheme: 'light', locale: 'zh-CN' },
  ],
]
