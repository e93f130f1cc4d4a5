import { fontVariable } from '../theme/fonts.ts'

const sans = 'system-ui, -apple-system, "Segoe UI"'

/**
 * System fonts by the `lang` of an element: each region draws Han characters differently, and Chinese fonts lack
 * Vietnamese letters.
 */
export const scriptFonts = {
  [fontVariable]: `${sans}, "Noto Sans", "PingFang SC", "Noto Sans SC", sans-serif`,
  '&:lang(zh-CN)': {
    [fontVariable]: `"PingFang SC", "HarmonyOS Sans SC", "Noto Sans SC", "Microsoft YaHei", ${sans}, sans-serif`,
  },
  '&:lang(zh-TW)': {
    [fontVariable]: `"PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", ${sans}, sans-serif`,
  },
  '&:lang(zh-HK)': {
    [fontVariable]: `"PingFang HK", "Noto Sans HK", "Noto Sans CJK HK", "Microsoft JhengHei", ${sans}, sans-serif`,
  },
  '&:lang(ja)': {
    [fontVariable]: `"Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", ${sans}, sans-serif`,
  },
  '&:lang(ko)': {
    [fontVariable]: `"Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", ${sans}, sans-serif`,
  },
}
