import type { Preview } from '@storybook/react-vite'
import { waitUntilCalm } from './waitUntilCalm.ts'

const paper = { light: '#FBFAF7', dark: '#121417', media: 'light-dark(#FBFAF7, #121417)' }

const preview: Preview = {
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    controls: { disable: true },
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
          { value: 'en', title: 'English' },
          { value: 'zh-CN', title: '简体中文' },
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
      document.documentElement.style.colorScheme = scheme === 'media' ? 'light dark' : scheme
      document.body.style.background = paper[scheme]
      return story()
    },
  ],
  afterEach: waitUntilCalm,
}

export default preview
