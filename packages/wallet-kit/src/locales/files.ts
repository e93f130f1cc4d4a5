import type { Locale, Translation } from './locales.ts'

/** Loaders of the languages, one file each. */
export const files: Record<Locale, () => Promise<Translation>> = {
  ar: () => import('./ar.ts').then((module) => module.ar),
  de: () => import('./de.ts').then((module) => module.de),
  en: () => import('./en.ts').then((module) => module.en),
  es: () => import('./es.ts').then((module) => module.es),
  fr: () => import('./fr.ts').then((module) => module.fr),
  hi: () => import('./hi.ts').then((module) => module.hi),
  id: () => import('./id.ts').then((module) => module.id),
  ja: () => import('./ja.ts').then((module) => module.ja),
  ko: () => import('./ko.ts').then((module) => module.ko),
  ms: () => import('./ms.ts').then((module) => module.ms),
  'pt-BR': () => import('./pt-BR.ts').then((module) => module.ptBR),
  ru: () => import('./ru.ts').then((module) => module.ru),
  th: () => import('./th.ts').then((module) => module.th),
  tr: () => import('./tr.ts').then((module) => module.tr),
  uk: () => import('./uk.ts').then((module) => module.uk),
  vi: () => import('./vi.ts').then((module) => module.vi),
  'zh-CN': () => import('./zh-CN.ts').then((module) => module.zhCN),
  'zh-HK': () => import('./zh-HK.ts').then((module) => module.zhHK),
  'zh-TW': () => import('./zh-TW.ts').then((module) => module.zhTW),
}
