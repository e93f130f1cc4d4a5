import { createTheme, shouldSkipGeneratingVar } from '@mui/material/styles'

/** The palette: ink on paper with one accent. */
export const colors = {
  light: {
    ink: '#15181D',
    paper: '#FBFAF7',
    raised: '#FFFFFF',
    jade: '#0B7A63',
    onJade: '#FFFFFF',
    amber: '#8A5A00',
    vermilion: '#BF3620',
    quiet: 'rgba(21, 24, 29, 0.64)',
    hairline: 'rgba(21, 24, 29, 0.1)',
    hover: 'rgba(21, 24, 29, 0.04)',
    selected: 'rgba(21, 24, 29, 0.06)',
  },
  dark: {
    ink: '#E9E6DF',
    paper: '#121417',
    raised: '#1A1D21',
    jade: '#45D0AE',
    onJade: '#0B1512',
    amber: '#E0B04C',
    vermilion: '#FF8A70',
    quiet: 'rgba(233, 230, 223, 0.64)',
    hairline: 'rgba(233, 230, 223, 0.12)',
    hover: 'rgba(233, 230, 223, 0.05)',
    selected: 'rgba(233, 230, 223, 0.08)',
  },
} as const

export const fonts = {
  /** Set per language: Chinese fonts come first only in Chinese, because they draw wide quotation marks. */
  text: 'var(--lineage-font)',
  address: 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace',
}

export const barHeight = 60
/** Narrower pages have links in a drawer and tables with rows of two lines. */
export const phone = '@media (max-width: 767.95px)'
/** Applies where the links are at the bottom of the screen: on a phone, unless it lies on its side or its keyboard is open. */
export const bottomBar = '@media (max-width: 47.9969em) and (min-height: 27em)'
export const navHeight = 54
/** Applies to a phone with text twice as large. In em, because pixels do not change with the text. */
export const largeText = '@media (max-width: 18em)'

/** Extends the touch target of a small control beyond its edges, by the negative `inset`. */
export const hitArea = (inset: string) =>
  ({ position: 'relative', '&::after': { content: '""', position: 'absolute', inset } }) as const

const scheme = (name: keyof typeof colors) => {
  const color = colors[name]
  return {
    palette: {
      primary: { main: color.jade, contrastText: color.onJade },
      success: { main: color.jade, contrastText: color.onJade },
      warning: { main: color.amber, contrastText: color.paper },
      error: { main: color.vermilion, contrastText: color.paper },
      text: { primary: color.ink, secondary: color.quiet },
      background: { default: color.paper, paper: color.raised },
      divider: color.hairline,
      action: { hover: color.hover, selected: color.selected },
    },
  }
}

const shadow = '0 12px 40px rgba(10, 12, 16, 0.16)'
/** Style of menus, popovers and dialogs. Their corner radius fits around that of the elements inside. */
const floating = {
  borderRadius: 'calc(var(--mui-shape-borderRadius) + 4px)',
  border: '1px solid var(--mui-palette-divider)',
  boxShadow: shadow,
  backgroundImage: 'none',
}

/** Colours of MUI's components that the app does not use. Their variables would be in every page, once for each colour scheme. */
const unusedColors =
  /^(Alert|AppBar|Avatar|Button|Chip|FilledInput|LinearProgress|Skeleton|Slider|SnackbarContent|SpeedDialAction|StepConnector|StepContent|Switch|TableCell|Tooltip|grey)$/

/** The theme of the app and of the kit's dialogs. */
export const theme = createTheme({
  cssVariables: {
    colorSchemeSelector: 'data-mui-color-scheme',
    shouldSkipGeneratingVar: (keys) =>
      shouldSkipGeneratingVar(keys) ||
      keys[0] === 'overlays' ||
      (keys[0] === 'palette' && unusedColors.test(keys[1] ?? '')),
  },
  colorSchemes: { light: scheme('light'), dark: scheme('dark') },
  breakpoints: { values: { xs: 0, sm: 480, md: 768, lg: 1080, xl: 1440 } },
  shape: { borderRadius: 8 },
  shadows: ['none', ...Array.from({ length: 24 }, () => shadow)] as never,
  transitions: {
    duration: {
      shortest: 160,
      shorter: 160,
      short: 160,
      standard: 160,
      complex: 160,
      enteringScreen: 160,
      leavingScreen: 160,
    },
    easing: { easeInOut: 'ease-out', easeOut: 'ease-out', easeIn: 'ease-out', sharp: 'ease-out' },
  },
  typography: {
    fontFamily: fonts.text,
    htmlFontSize: 16,
    fontSize: 15,
    fontWeightMedium: 500,
    fontWeightBold: 600,
    h1: { fontSize: '1.75rem', fontWeight: 600, lineHeight: 1.3, letterSpacing: 0 },
    h2: { fontSize: '1.0625rem', fontWeight: 600, lineHeight: 1.5, letterSpacing: 0 },
    body1: { fontSize: '0.9375rem', lineHeight: 1.65, letterSpacing: 0 },
    body2: { fontSize: '0.8125rem', lineHeight: 1.6, letterSpacing: 0 },
    button: { textTransform: 'none', fontWeight: 500, letterSpacing: 0 },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        html: {
          '--lineage-font':
            '"PingFang SC", "HarmonyOS Sans SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", system-ui, sans-serif',
          scrollPaddingTop: barHeight + 24,
          textSizeAdjust: '100%',
        },
        'ul, ol': { margin: 0, padding: 0, listStyle: 'none' },
        // On phones the address field sticks below the bar.
        [phone]: { html: { scrollPaddingTop: barHeight + 120 } },
        [bottomBar]: { html: { scrollPaddingBottom: navHeight + 16 } },
        'html:lang(zh-TW)': {
          '--lineage-font':
            '"PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", system-ui, sans-serif',
        },
        'html:lang(en)': {
          '--lineage-font':
            'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", sans-serif',
        },
        svg: { flexShrink: 0 },
        body: { fontVariantNumeric: 'tabular-nums', overflowX: 'clip', overflowWrap: 'break-word' },
        'a, button, input, select, [tabindex]': { WebkitTapHighlightColor: 'transparent' },
        ':focus-visible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 },
        'h1:focus, main:focus': { outline: 'none' },
        // iOS zooms into fields with smaller text, also where a person has chosen a smaller one.
        '@media (any-pointer: coarse)': { 'input, select, textarea': { fontSize: 'max(1rem, 16px) !important' } },
        '::selection': { background: 'color-mix(in srgb, var(--mui-palette-primary-main) 24%, transparent)' },
        // Print black on white, without elements that only work on a screen.
        '@media print': {
          'html, html[data-mui-color-scheme]': {
            colorScheme: 'light',
            background: '#fff',
            '--mui-palette-primary-main': colors.light.jade,
            '--mui-palette-warning-main': colors.light.amber,
            '--mui-palette-error-main': colors.light.vermilion,
            '--mui-palette-text-primary': '#000',
            '--mui-palette-text-secondary': '#333',
            '--mui-palette-background-default': '#fff',
            '--mui-palette-background-paper': '#fff',
            '--mui-palette-divider': '#bbb',
          },
          'time[data-printed]': { fontSize: 0, '&::after': { content: 'attr(data-printed)', fontSize: '0.8125rem' } },
          // Of buttons, addresses, choices and heads of columns are printed.
          '[role="search"], main form, main a.button, main .actions, main button:not([aria-haspopup="menu"], [aria-pressed], [aria-sort] > *)':
            {
              display: 'none !important',
            },
          ':focus-visible': { outline: 'none' },
          // Heads stay with what they name.
          'h3, thead': { breakAfter: 'avoid' },
          'tbody > tr:first-of-type': { breakBefore: 'avoid' },
          // Apart, because Firefox before 121 drops a rule with `:has`.
          'header:has(nav)': { display: 'none !important' },
        },
        // The browser replaces the colours of a page, but not those of drawings, and removes the dots.
        '@media (forced-colors: active)': {
          i: { forcedColorAdjust: 'preserve-parent-color' },
          'svg, i': {
            '--mui-palette-primary-main': 'Highlight',
            '--mui-palette-warning-main': 'CanvasText',
            '--mui-palette-error-main': 'CanvasText',
            '--mui-palette-text-primary': 'CanvasText',
            '--mui-palette-text-secondary': 'CanvasText',
            '--mui-palette-background-default': 'Canvas',
            '--mui-palette-divider': 'color-mix(in srgb, CanvasText 30%, transparent)',
          },
        },
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0.01ms !important',
            scrollBehavior: 'auto !important',
          },
        },
      },
    },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiMenu: { styleOverrides: { paper: floating, list: { padding: 6 } } },
    // The lock would be on the main landmark that contains it, in which the sticky address field would jump.
    MuiPopover: { defaultProps: { disableScrollLock: true }, styleOverrides: { paper: floating } },
    // The content of a form scrolls, as without it; the actions stay in view on a phone held sideways.
    MuiDialog: { styleOverrides: { paper: { ...floating, '& > form': { display: 'contents' } } } },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.0625rem', fontWeight: 600 } } },
    MuiMenuItem: {
      styleOverrides: {
        root: {
          borderRadius: 'var(--mui-shape-borderRadius)',
          minHeight: 40,
          fontSize: '0.875rem',
          gap: 10,
          padding: '6px 12px',
          '&:focus-visible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2 },
        },
      },
    },
  },
})

/** A node of the product's motif, for a pseudo-element: a ring that covers the line behind it. */
export const lineNode = {
  content: '""',
  width: 9,
  height: 9,
  boxSizing: 'border-box',
  borderRadius: '50%',
  border: '1.5px solid var(--mui-palette-text-primary)',
  background: 'var(--mui-palette-background-default)',
} as const

/** Fills the node of the member that the page shows. */
export const filledNode = {
  background: 'var(--mui-palette-primary-main)',
  borderColor: 'var(--mui-palette-primary-main)',
  '@media (forced-colors: active)': { background: 'Highlight' },
} as const

/** Hides an element from view; screen readers still read it. */
export const visuallyHidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const
