/**
 * Translation in a browser replaces each text node. React then cannot remove or change one that it created beside other
 * children; the text of an element without other children it sets anew. So every text has an element of its own.
 */
import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { createHost, timeLimit } from './docs/compileBlocks.ts'

const root = join(import.meta.dirname, '..')

/** Components of packages that render their children into an element without other children. */
const plain = ['Link', 'NavLink', 'DialogTitle', 'DialogContent', 'FormControlLabel']

/** The kit's parts, each of which renders one element. */
const part = /^(Connect|Account|Network|SignIn)\.(?!Root$)\w+$/

const textFlags =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown

/** Finds the texts of a file that have no element of their own. */
function findTexts(program: ts.Program, path: string): string[] {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  if (!file) throw new Error(`${path} is not part of the program.`)
  const found: string[] = []
  const report = (node: ts.Node) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${relative(root, file.fileName)}:${line + 1} ${node.getText().trim().replaceAll(/\s+/g, ' ')}`)
  }
  const visit = (node: ts.Node): void => {
    if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && !hasOnlyText(checker, node))
      for (const child of node.children) if (isText(checker, child)) report(child)
    // `ReactNode` means elements: a text needs the type `string`, which is checked where it is shown.
    const value = ts.isJsxAttribute(node) && takesNodes(node) && node.initializer
    if (value && ts.isJsxExpression(value) && value.expression && isText(checker, value)) {
      const wanted = checker.getContextualType(value.expression)
      if (wanted && isNode(wanted)) report(node)
    }
    const returned = ts.isReturnStatement(node) ? node.expression : ts.isArrowFunction(node) ? node.body : undefined
    if (returned && isComponent(node) && ts.isExpression(returned) && isTextOf(checker, returned)) report(returned)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Returns whether an attribute belongs to a component, and its value is no function or object. */
function takesNodes({ parent, initializer }: ts.JsxAttribute): boolean {
  const tag = parent.parent.tagName.getText()
  const value = initializer && ts.isJsxExpression(initializer) && initializer.expression
  if (/^[a-z][\w-]*$/.test(tag) || plain.includes(tag) || !value) return false
  return !ts.isArrowFunction(value) && !ts.isObjectLiteralExpression(value)
}

const isBlank = (child: ts.JsxChild) =>
  ts.isJsxText(child) ? child.containsOnlyTriviaWhiteSpaces : ts.isJsxExpression(child) && !child.expression

/** Returns whether an element has one child, and is one that React writes the text of. */
function hasOnlyText(checker: ts.TypeChecker, node: ts.JsxElement | ts.JsxFragment): boolean {
  const [child, ...others] = node.children.filter((child) => !isBlank(child))
  if (ts.isJsxFragment(node) || others.length > 0) return false
  const call = child && ts.isJsxExpression(child) && child.expression
  if (call && ts.isCallExpression(call) && !isTranslated(call))
    if (checker.isArrayLikeType(checker.getTypeAtLocation(call))) return false
  if (isElement(checker, node.openingElement.tagName)) return true
  const props = checker.getContextualType(node.openingElement.attributes)
  const children = props?.getProperty('children')
  const type = children && checker.getTypeOfSymbolAtLocation(children, node)
  return type !== undefined && !isNode(type)
}

/** Returns whether a component renders its children into an element without others, such as `styled('p')`. */
function isElement(checker: ts.TypeChecker, tag: ts.Node): boolean {
  const name = tag.getText()
  if (ts.isStringLiteral(tag) || /^[a-z][\w-]*$/.test(name) || plain.includes(name) || part.test(name)) return true
  const symbol = checker.getSymbolAtLocation(tag)
  const declared = (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
    ?.valueDeclaration
  let made = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined
  // The call of `styled` is inside the call with the styles.
  while (made && ts.isCallExpression(made) && made.expression.getText() !== 'styled') made = made.expression
  const base = made && ts.isCallExpression(made) ? made.arguments[0] : undefined
  return base !== undefined && isElement(checker, base)
}

/** Returns whether a function, or the function around a `return`, is a component. */
function isComponent(node: ts.Node): boolean {
  const owner = ts.isReturnStatement(node) ? ts.findAncestor(node, ts.isFunctionLike) : node
  if (owner && ts.isFunctionDeclaration(owner)) return /^[A-Z]/.test(owner.name?.text ?? '')
  // A component may be inside a call, such as that of `memo`.
  const holder = owner && ts.findAncestor(owner.parent, (one) => !ts.isCallExpression(one))
  return holder !== undefined && ts.isVariableDeclaration(holder) && /^[A-Z]/.test(holder.name.getText())
}

/** Returns whether a child may be a text. */
function isText(checker: ts.TypeChecker, child: ts.JsxChild): boolean {
  if (ts.isJsxText(child)) return !child.containsOnlyTriviaWhiteSpaces
  return ts.isJsxExpression(child) && child.expression !== undefined && isTextOf(checker, child.expression)
}

/** Returns whether an expression may be a text. Asks for types only where the syntax does not tell. */
function isTextOf(checker: ts.TypeChecker, node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isTextOf(checker, node.expression)
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isTranslated(node)) return true
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].some((one) => isTextOf(checker, one))
  if (ts.isBinaryExpression(node)) {
    const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
    return isTextOf(checker, node.right) || (!isAnd && isTextOf(checker, node.left))
  }
  if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) return false
  return isTextType(checker, checker.getTypeAtLocation(node))
}

/** Returns whether an expression calls a function that translates, whose type takes long to compute. */
const isTranslated = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) && /^(t|common)$/.test(node.expression.getText())

function isTextType(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.flags & textFlags) return true
  if (type.isUnion()) return !isNode(type) && type.types.some((one) => isTextType(checker, one))
  return (
    checker.isArrayLikeType(type) && isTextType(checker, checker.getTypeArguments(type as ts.TypeReference)[0] ?? type)
  )
}

/** Returns whether a type is `ReactNode`. */
const isNode = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some(({ symbol }) => symbol?.getName() === 'ReactPortal')

const cases: [title: string, jsx: string, expected: string[]][] = [
  ['a text beside an element', '<p>Text <b /></p>', ['Text']],
  ['a text in a fragment', '<p><>{text}</></p>', ['{text}']],
  ['a text that comes and goes', "<p>{flag && 'Text'}<b /></p>", ["{flag && 'Text'}"]],
  ['a text that an element replaces', '<p>{flag ? <b /> : text}<b /></p>', ['{flag ? <b /> : text}']],
  ['two texts', '<p>{text} {count}</p>', ['{text}', '', '{count}']],
  ['a space', "<p><b />{' '}<i /></p>", ["{' '}"]],
  ['texts of a list', '<p>{[text].map((one) => one)}<b /></p>', ['{[text].map((one) => one)}']],
  [
    'texts of a list alone',
    '<p>{[text].flatMap((one) => [<b key="b" />, one])}</p>',
    ['{[text].flatMap((one) => [<b key="b" />, one])}'],
  ],
  ['a text in a button of a package', '<Packed>Text</Packed>', ['Text']],
  ['a text in an own component', '<Own>{text}</Own>', ['{text}']],
  ['a text as a prop for elements', '<Own aside={text} />', ['aside={text}']],
  ['a component that is a text', '<p />; const Bare = () => text', ['text']],
  ['an element for each', '<p><b>{text}</b>{flag && <i>{count}</i>}{[1].map((key) => <b key={key} />)}</p>', []],
  ['a text or an element', '<p>{flag ? text : <b />}</p>', []],
  ['elements', '<Own aside={<b />}><b /></Own>', []],
  ['a component for texts', '<Named>{text}</Named>', []],
]

const toSource = (jsx: string) => `
  import { type ReactNode } from 'react'
  import Packed from '@mui/material/Button'
  declare const text: string, count: number, flag: boolean
  const Own = ({ aside, children }: { aside?: ReactNode; children?: ReactNode }) => <p>{aside}{children}</p>
  const Named = ({ children }: { children: string }) => <p>{children}</p>
  export const shown = ${jsx}`

const pathOf = (title: string) => join(root, `apps/web/src/${title}.tsx`)

const sources = globSync(['packages/wallet-kit/src/**/*.tsx', 'apps/web/src/**/*.tsx'], { cwd: root })
  .filter((file) => !/\.(test|stories)\./.test(file))
  .map((file) => join(root, file))

/** Compiles all cases and sources at once, because it takes ten seconds. */
function createProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'apps/web/tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'apps/web'))
  const texts = new Map(cases.map(([title, jsx]) => [pathOf(title), toSource(jsx)]))
  return ts.createProgram([...texts.keys(), ...sources], options, createHost(texts))
}

let program: ts.Program
beforeAll(() => {
  program = createProgram()
}, timeLimit)

test.each(cases)('property: %s', { timeout: timeLimit }, (title, _, expected) => {
  expect(findTexts(program, pathOf(title)).map((one) => one.replace(/^.*:\d+ /, ''))).toEqual(expected)
})

test('behavior: every text of the web app and the kit has an element of its own', { timeout: timeLimit }, () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap((path) => findTexts(program, path))).toEqual([])
})
