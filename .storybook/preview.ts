import type { Preview } from '@storybook/react-vite'

const paper = { light: '#FBFAF7', dark: '#121417', media: 'light-dark(#FBFAF7, #121417)' }

const preview: Preview = {
  parameters: {
    layout: 'padded',
    // The elements that pass are not listed, which saves a third of the time of a story.
    a11y: {
      test: 'error',
      // axe reads spaces round the `<font>` elements of a translated page. The browser tests check this rule without translation.
      config: { rules: [{ id: 'label-content-name-mismatch', enabled: false }] },
      options: { resultTypes: ['violations'] },
      // The kit's early dialog is laid out for a frame when the page is idle, and then skipped by the browser.
      context: { exclude: ['dialog[data-early]'] },
    },
    controls: { disable: true },
    // Shows the source as written in the file, because the rendered tree is only a wrapper page with a scripted kit.
    docs: { codePanel: true, source: { type: 'code' } },
    viewport: {
      options: {
        phone: { name: 'Phone, 390 px', styles: { width: '390px', height: '844px' }, type: 'mobile' },
        compact: { name: 'Compact, 600 px', styles: { width: '600px', height: '800px' }, type: 'tablet' },
        wide: { name: 'Wide, 1440 px', styles: { width: '1440px', height: '900px' }, type: 'desktop' },
      },
    },
  },
  initialGlobals: { locale: 'en', colorScheme: 'media' },
  globalTypes: {
    locale: {
      description: 'Language',
      toolbar: {
        icon: 'globe',
        dynamicTitle: true,
        items: [
          { value: 'ar', title: 'العربية' },
          { value: 'de', title: 'Deutsch' },
          { value: 'en', title: 'English' },
          { value: 'es', title: 'Español' },
          { value: 'fr', title: 'Français' },
          { value: 'hi', title: 'हिन्दी' },
          { value: 'id', title: 'Bahasa Indonesia' },
          { value: 'ja', title: '日本語' },
          { value: 'ko', title: '한국어' },
          { value: 'ms', title: 'Bahasa Melayu' },
          { value: 'pt-BR', title: 'Português (Brasil)' },
          { value: 'ru', title: 'Русский' },
          { value: 'th', title: 'ไทย' },
          { value: 'tr', title: 'Türkçe' },
          { value: 'uk', title: 'Українська' },
          { value: 'vi', title: 'Tiếng Việt' },
          { value: 'zh-CN', title: '简体中文' },
          { value: 'zh-HK', title: '繁體中文（香港）' },
          { value: 'zh-TW', title: '繁體中文（台灣）' },
        ],
      },
    },
    colorScheme: {
      description: 'Colour scheme',
      toolbar: {
        icon: 'contrast',
        dynamicTitle: true,
        items: [
          { value: 'media', title: 'As the system' },
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ],
      },
    },
  },
  decorators: [
    (story, { globals }) => {
      const scheme: keyof typeof paper = globals.colorScheme
      document.documentElement.lang = globals.locale
      document.documentElement.dir = globals.locale === 'ar' ? 'rtl' : 'ltr'
      document.documentElement.style.colorScheme = scheme === 'media' ? 'light dark' : scheme
      document.body.style.background = paper[scheme]
      return story()
    },
  ],
  afterEach: waitUntilCalm,
}

export default preview

const quiet = 150
const limit = 5_000

/** Resolves once the page has not changed for a moment, so that the final state of a story is checked. */
function waitUntilCalm(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      clearTimeout(timer)
      clearTimeout(last)
      resolve()
    }
    const last = setTimeout(end, limit)
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(end, quiet)
    }
    let timer = setTimeout(end, quiet)
    const observer = new MutationObserver(wait)
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}
