import type { MessageKey } from './en.ts'

/** A text with one form per plural category of its language. */
export type PluralForms = { [category in Intl.LDMLPluralRule]?: string | undefined } & { other: string }

/** All texts of a language except `connectWallet`. */
export type Translation = Record<Exclude<MessageKey, 'pendingTransactions'>, string> & {
  pendingTransactions: PluralForms
}

type Texts = { [key in MessageKey | 'connectWallet']?: string | PluralForms | undefined }

/** Texts that replace the kit's own: by key for all languages, or by language and key. The latter win. */
export type Messages = Texts & { [locale in Locale]?: Texts | undefined }

/**
 * The button's first text in every language. It is painted before any language has loaded; all other texts load on
 * demand.
 */
export const connectWallet = {
  ar: 'ربط المحفظة',
  de: 'Wallet verbinden',
  en: 'Connect Wallet',
  es: 'Conectar billetera',
  fr: 'Connecter un portefeuille',
  hi: 'वॉलेट कनेक्ट करें',
  id: 'Hubungkan Dompet',
  ja: 'ウォレットを接続',
  ko: '지갑 연결',
  ms: 'Sambungkan Dompet',
  'pt-BR': 'Conectar carteira',
  ru: 'Подключить кошелёк',
  th: 'เชื่อมต่อกระเป๋าเงิน',
  tr: 'Cüzdan bağla',
  uk: 'Підключити гаманець',
  vi: 'Kết nối ví',
  'zh-CN': '连接钱包',
  'zh-HK': '連接錢包',
  'zh-TW': '連結錢包',
}

export type Locale = keyof typeof connectWallet

/** English fallback for a button that cannot wait for its language. */
export const wrongNetwork = 'Wrong network'
