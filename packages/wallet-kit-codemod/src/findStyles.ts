import type { Note } from './SourceFile.ts'

/** Matches the paths of style sheets. */
export const isStyle = /\.(css|scss|sass|less)$/

/** Adds notes on RainbowKit’s style sheet, attributes and CSS variables in a style sheet or in code. */
export const findStyles = (path: string, text: string): Note[] =>
  text.split('\n').flatMap((line, index) => {
    const at = { file: path, line: index + 1 }
    if (isStyle.test(path) && line.includes('@rainbow-me/rainbowkit'))
      return [{ ...at, text: 'Remove this: the kit has no style sheet.' }]
    return /data-rk\b|--rk-/.test(line)
      ? [{ ...at, text: 'The kit has no `data-rk` and no `--rk-…`. Change how it looks with a theme.' }]
      : []
  })
