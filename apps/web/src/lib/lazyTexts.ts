import type zhCN from '../locales/zh-CN.ts'
import type { Language } from './i18n.ts'

type File<texts> = () => Promise<{ default: { [key in keyof texts]: string } }>
type Files<texts> = Record<Language, File<texts>>

/** Returns the imports of one namespace; each language must have the texts of `zh-CN`. */
const inAll = <texts>(zhCN: () => Promise<{ default: texts }>, others: Omit<Files<NoInfer<texts>>, 'zh-CN'>) =>
  ({ 'zh-CN': zhCN, ...others }) as Files<texts>

/** Imports of the texts that load together with the components that show them, by namespace. */
export const lazyTexts = {
  alerts: inAll(() => import('../locales/alerts/zh-CN.ts'), {
    'zh-TW': () => import('../locales/alerts/zh-TW.ts'),
    en: () => import('../locales/alerts/en.ts'),
  }),
  communities: inAll(() => import('../locales/communities/zh-CN.ts'), {
    'zh-TW': () => import('../locales/communities/zh-TW.ts'),
    en: () => import('../locales/communities/en.ts'),
  }),
  compare: inAll(() => import('../locales/compare/zh-CN.ts'), {
    'zh-TW': () => import('../locales/compare/zh-TW.ts'),
    en: () => import('../locales/compare/en.ts'),
  }),
  filters: inAll(() => import('../locales/filters/zh-CN.ts'), {
    'zh-TW': () => import('../locales/filters/zh-TW.ts'),
    en: () => import('../locales/filters/en.ts'),
  }),
  history: inAll(() => import('../locales/history/zh-CN.ts'), {
    'zh-TW': () => import('../locales/history/zh-TW.ts'),
    en: () => import('../locales/history/en.ts'),
  }),
  labels: inAll(() => import('../locales/labels/zh-CN.ts'), {
    'zh-TW': () => import('../locales/labels/zh-TW.ts'),
    en: () => import('../locales/labels/en.ts'),
  }),
  map: inAll(() => import('../locales/map/zh-CN.ts'), {
    'zh-TW': () => import('../locales/map/zh-TW.ts'),
    en: () => import('../locales/map/en.ts'),
  }),
  relation: inAll(() => import('../locales/relation/zh-CN.ts'), {
    'zh-TW': () => import('../locales/relation/zh-TW.ts'),
    en: () => import('../locales/relation/en.ts'),
  }),
  search: inAll(() => import('../locales/search/zh-CN.ts'), {
    'zh-TW': () => import('../locales/search/zh-TW.ts'),
    en: () => import('../locales/search/en.ts'),
  }),
  share: inAll(() => import('../locales/share/zh-CN.ts'), {
    'zh-TW': () => import('../locales/share/zh-TW.ts'),
    en: () => import('../locales/share/en.ts'),
  }),
  status: inAll(() => import('../locales/status/zh-CN.ts'), {
    'zh-TW': () => import('../locales/status/zh-TW.ts'),
    en: () => import('../locales/status/en.ts'),
  }),
}

/** The texts of each namespace. */
export type LazyTexts = {
  [name in keyof typeof lazyTexts]: (typeof lazyTexts)[name] extends Files<infer texts> ? texts : never
}

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: LazyTexts & { translation: typeof zhCN }
  }
}
