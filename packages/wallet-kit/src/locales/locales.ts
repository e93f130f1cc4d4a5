import type { MessageKey } from './en.ts'

/** A text that counts: a form for each plural category of its language. */
export type PluralForms = { [category in Intl.LDMLPluralRule]?: string } & { other: string }

/** What the button says. It is painted first, so these few words come with the page; the rest comes on demand. */
export type ButtonMessages = {
  connectWallet: string
  wrongNetwork: string
  verifyAccount: string
  pendingTransactions: PluralForms
}

type Texts = Partial<Record<MessageKey | keyof ButtonMessages, string | PluralForms>>

/**
 * Texts that a host puts in the place of the kit's own, by key: for every language, and for single ones, which go before.
 *
 * @example
 * const messages: Messages = { connectWallet: 'Join', ar: { connectWallet: 'انضم' } }
 */
export type Messages = Texts & { [locale in Locale]?: Texts }

type Language = { button: ButtonMessages; load: () => Promise<Record<MessageKey, string>> }

export const languages = {
  ar: {
    button: {
      connectWallet: 'ربط المحفظة',
      wrongNetwork: 'شبكة غير صحيحة',
      verifyAccount: 'التحقق من حسابك',
      pendingTransactions: {
        zero: 'لا معاملات قيد الانتظار',
        one: 'معاملة واحدة قيد الانتظار',
        two: 'معاملتان قيد الانتظار',
        few: '{count} معاملات قيد الانتظار',
        many: '{count} معاملة قيد الانتظار',
        other: '{count} معاملة قيد الانتظار',
      },
    },
    load: () => import('./ar.ts').then((module) => module.ar),
  },
  de: {
    button: {
      connectWallet: 'Wallet verbinden',
      wrongNetwork: 'Falsches Netzwerk',
      verifyAccount: 'Konto bestätigen',
      pendingTransactions: { one: '{count} ausstehend', other: '{count} ausstehend' },
    },
    load: () => import('./de.ts').then((module) => module.de),
  },
  en: {
    button: {
      connectWallet: 'Connect Wallet',
      wrongNetwork: 'Wrong network',
      verifyAccount: 'Verify your account',
      pendingTransactions: { one: '{count} pending', other: '{count} pending' },
    },
    load: () => import('./en.ts').then((module) => module.en),
  },
  es: {
    button: {
      connectWallet: 'Conectar billetera',
      wrongNetwork: 'Red incorrecta',
      verifyAccount: 'Verifica tu cuenta',
      pendingTransactions: { one: '{count} pendiente', many: '{count} pendientes', other: '{count} pendientes' },
    },
    load: () => import('./es.ts').then((module) => module.es),
  },
  fr: {
    button: {
      connectWallet: 'Connecter un portefeuille',
      wrongNetwork: 'Mauvais réseau',
      verifyAccount: 'Vérifier votre compte',
      pendingTransactions: { one: '{count} en attente', many: '{count} en attente', other: '{count} en attente' },
    },
    load: () => import('./fr.ts').then((module) => module.fr),
  },
  hi: {
    button: {
      connectWallet: 'वॉलेट कनेक्ट करें',
      wrongNetwork: 'गलत नेटवर्क',
      verifyAccount: 'अपना खाता सत्यापित करें',
      pendingTransactions: { one: '{count} लंबित', other: '{count} लंबित' },
    },
    load: () => import('./hi.ts').then((module) => module.hi),
  },
  id: {
    button: {
      connectWallet: 'Hubungkan Dompet',
      wrongNetwork: 'Jaringan salah',
      verifyAccount: 'Verifikasi akun Anda',
      pendingTransactions: { other: '{count} tertunda' },
    },
    load: () => import('./id.ts').then((module) => module.id),
  },
  ja: {
    button: {
      connectWallet: 'ウォレットを接続',
      wrongNetwork: 'ネットワークが違います',
      verifyAccount: 'アカウントを確認',
      pendingTransactions: { other: '{count} 件が処理中' },
    },
    load: () => import('./ja.ts').then((module) => module.ja),
  },
  ko: {
    button: {
      connectWallet: '지갑 연결',
      wrongNetwork: '잘못된 네트워크',
      verifyAccount: '계정 인증',
      pendingTransactions: { other: '{count}건 대기 중' },
    },
    load: () => import('./ko.ts').then((module) => module.ko),
  },
  ms: {
    button: {
      connectWallet: 'Sambung Dompet',
      wrongNetwork: 'Rangkaian salah',
      verifyAccount: 'Sahkan akaun anda',
      pendingTransactions: { other: '{count} belum selesai' },
    },
    load: () => import('./ms.ts').then((module) => module.ms),
  },
  'pt-BR': {
    button: {
      connectWallet: 'Conectar carteira',
      wrongNetwork: 'Rede incorreta',
      verifyAccount: 'Verifique sua conta',
      pendingTransactions: { one: '{count} pendente', many: '{count} pendentes', other: '{count} pendentes' },
    },
    load: () => import('./pt-BR.ts').then((module) => module.ptBR),
  },
  ru: {
    button: {
      connectWallet: 'Подключить кошелёк',
      wrongNetwork: 'Неверная сеть',
      verifyAccount: 'Подтвердите аккаунт',
      pendingTransactions: {
        one: '{count} транзакция в обработке',
        few: '{count} транзакции в обработке',
        many: '{count} транзакций в обработке',
        other: '{count} транзакции в обработке',
      },
    },
    load: () => import('./ru.ts').then((module) => module.ru),
  },
  th: {
    button: {
      connectWallet: 'เชื่อมต่อกระเป๋าเงิน',
      wrongNetwork: 'เครือข่ายไม่ถูกต้อง',
      verifyAccount: 'ยืนยันบัญชีของคุณ',
      pendingTransactions: { other: 'รอดำเนินการ {count} รายการ' },
    },
    load: () => import('./th.ts').then((module) => module.th),
  },
  tr: {
    button: {
      connectWallet: 'Cüzdan bağla',
      wrongNetwork: 'Yanlış ağ',
      verifyAccount: 'Hesabınızı doğrulayın',
      pendingTransactions: { one: '{count} işlem bekliyor', other: '{count} işlem bekliyor' },
    },
    load: () => import('./tr.ts').then((module) => module.tr),
  },
  uk: {
    button: {
      connectWallet: 'Підключити гаманець',
      wrongNetwork: 'Неправильна мережа',
      verifyAccount: 'Підтвердьте акаунт',
      pendingTransactions: {
        one: '{count} транзакція в обробці',
        few: '{count} транзакції в обробці',
        many: '{count} транзакцій в обробці',
        other: '{count} транзакції в обробці',
      },
    },
    load: () => import('./uk.ts').then((module) => module.uk),
  },
  vi: {
    button: {
      connectWallet: 'Kết nối ví',
      wrongNetwork: 'Sai mạng',
      verifyAccount: 'Xác minh tài khoản',
      pendingTransactions: { other: '{count} giao dịch đang chờ' },
    },
    load: () => import('./vi.ts').then((module) => module.vi),
  },
  'zh-CN': {
    button: {
      connectWallet: '连接钱包',
      wrongNetwork: '网络不正确',
      verifyAccount: '验证你的账户',
      pendingTransactions: { other: '{count} 笔交易确认中' },
    },
    load: () => import('./zh-CN.ts').then((module) => module.zhCN),
  },
  'zh-HK': {
    button: {
      connectWallet: '連接錢包',
      wrongNetwork: '網絡不正確',
      verifyAccount: '驗證你的帳戶',
      pendingTransactions: { other: '{count} 筆交易確認中' },
    },
    load: () => import('./zh-HK.ts').then((module) => module.zhHK),
  },
  'zh-TW': {
    button: {
      connectWallet: '連結錢包',
      wrongNetwork: '網路不正確',
      verifyAccount: '驗證你的帳戶',
      pendingTransactions: { other: '{count} 筆交易確認中' },
    },
    load: () => import('./zh-TW.ts').then((module) => module.zhTW),
  },
} satisfies Record<string, Language>

export type Locale = keyof typeof languages
