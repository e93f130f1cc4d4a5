import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const spoken = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
  'label',
]

/** Returns whether a text is only punctuation, numbers or names, which are the same in every language. */
const isNeutral = (text: string) => !/\p{L}/u.test(text) || /^(Lineage|BNB|BscScan|GitHub)$/.test(text.trim())

/** Finds texts that are hard-coded in a component and so cannot be translated. */
function findTexts(source: string, name = 'a.tsx'): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const report = (node: ts.Node, text: string) => {
    if (isNeutral(text)) return
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${name}:${line + 1} ${text.trim()}`)
  }

  /** Checks every part that a text can come from: both branches of a condition, the parts of a template. */
  const inspect = (node: ts.Expression | undefined): void => {
    if (!node) return
    if (ts.isStringLiteralLike(node)) report(node, node.text)
    else if (ts.isTemplateExpression(node))
      for (const { text } of [node.head, ...node.templateSpans.map(({ literal }) => literal)]) report(node, text)
    else if (ts.isParenthesizedExpression(node)) inspect(node.expression)
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(inspect)
    else if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken
      if (kind !== ts.SyntaxKind.AmpersandAmpersandToken) inspect(node.left)
      inspect(node.right)
    }
  }

  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) report(node, node.text)
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) inspect(node.expression)
    if (ts.isJsxAttribute(node) && spoken.includes(node.name.getText()) && node.initializer)
      inspect(
        ts.isJsxExpression(node.initializer) ? node.initializer.expression : (node.initializer as ts.StringLiteral),
      )
    // Matches `{ 'aria-label': 'Search' }` in the props of a component's part.
    if (ts.isPropertyAssignment(node) && spoken.includes(node.name.getText().replace(/^['"]|['"]$/g, '')))
      if (node.name.getText().includes('aria-')) inspect(node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

describe('a text in a component', () => {
  test.each([
    '<p>Connect</p>',
    '<p>{"Connect"}</p>',
    '<p>{isOpen ? "Close" : t("open")}</p>',
    `<p>{isOpen && \`Close \${name}\`}</p>`,
    '<p>{name + " is open"}</p>',
    '<p>{name ?? "nobody"}</p>',
    '<img alt="A cat" />',
    '<input placeholder={"Search"} />',
    '<b aria-label={isOpen ? t("close") : "Open"} />',
    '<Input inputProps={{ "aria-label": "Search" }} />',
    '<p>连接</p>',
  ])('%s', (source) => expect(findTexts(source)).toHaveLength(1))

  test.each([
    '<p>{t("connect")}</p>',
    '<p className="wide" role="status">{name}</p>',
    '<p>{" · "}</p>',
    '<p>…</p>',
    '<img alt="" />',
    '<p>{t(isOpen ? "close" : "open")}</p>',
    '<b aria-label={t("close")} data-tone={isOpen ? "warm" : undefined} />',
    '<p>{isOpen === "yes" && <b />}</p>',
  ])('%s is no text', (source) => expect(findTexts(source)).toEqual([]))
})

test('behavior: every text of a component is in the languages', () => {
  const files = ['packages/wallet-kit/src/react', 'apps/web/src'].flatMap((folder) =>
    globSync('**/*.tsx', { cwd: join(root, folder) }).map((file) => join(root, folder, file)),
  )
  const shown = files.filter((file) => !/\.(test|stories)\.tsx$/.test(file))
  expect(shown.length).toBeGreaterThan(60)
  expect(shown.flatMap((file) => findTexts(readFileSync(file, 'utf8'), relative(root, file)))).toEqual([])
})
