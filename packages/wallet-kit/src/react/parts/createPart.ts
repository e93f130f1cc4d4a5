import {
  type ComponentPropsWithoutRef,
  type CSSProperties,
  cloneElement,
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefAttributes,
  useState,
  version,
} from 'react'

/** The HTML elements that parts render by default. */
type Tag = 'a' | 'button' | 'div' | 'h2' | 'h3' | 'img' | 'input' | 'p' | 'span' | 'strong' | 'svg' | 'ul'

type ElementOf<tag extends Tag> = tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[tag] : SVGSVGElement

/** The props of an element that `render` gets, with its ref. Without `color`, which buttons of UI libraries type differently. */
export type RenderProps = Omit<HTMLAttributes<HTMLElement>, 'color'> & { ref?: Ref<never>; children?: ReactNode }

/** The props of a part: those of its element, and Base UI's `className`, `style` and `render`. */
export type PartProps<tag extends Tag, State> = Omit<ComponentPropsWithoutRef<tag>, 'className' | 'style'> & {
  /** CSS classes, or a function of the part's state that returns them. */
  className?: (string | ((state: State) => string | undefined)) | undefined
  /** Styles, or a function of the part's state that returns them. */
  style?: (CSSProperties | ((state: State) => CSSProperties | undefined)) | undefined
  /** An element to render in place of the part's own, or a function of its props and state that returns one. */
  render?: (ReactElement | ((props: RenderProps, state: State) => ReactElement)) | undefined
}

/** A part: its props, and a ref to its element. */
export type Part<tag extends Tag, State = object, Own = object> = ForwardRefExoticComponent<
  Omit<PartProps<tag, State>, keyof Own> & Own & RefAttributes<ElementOf<tag>>
>

/** The props of an element. Those of the app win, but both of two event handlers are called. */
type Drawn<tag extends Tag, State> = ComponentPropsWithoutRef<tag> & {
  /** Becomes the `data-` attributes of the element: `true` an empty one, a text its value. */
  state?: State
  ref?: Ref<ElementOf<tag>>
  /** Another element than the usual one. */
  tag?: Tag
}

/**
 * Creates a part: a component without styles that renders one element. `useElement` gets the part's own props, which are
 * listed in `ownNames` and not passed to the element; it returns the state and the props of the element, or `undefined`
 * to render nothing.
 */
/* @__NO_SIDE_EFFECTS__ */
export function createPart<tag extends Tag, State extends object = object, Own extends object = object>(
  tag: tag,
  useElement: (own: Own) => Drawn<tag, State> | undefined,
  ownNames: readonly (keyof Own & string)[] = [],
): Part<tag, State, Own> {
  return forwardRef<ElementOf<tag>, PartProps<tag, State> & Own>(function Part(all, ref) {
    const [own, { render, className, style, ...given }] = split<Own>(all as Props, ownNames)
    const drawn = useElement(own)
    if (!drawn) return null
    const { state = {} as State, ref: ownRef, tag: ownTag = tag, ...ownProps } = drawn as Drawn<Tag, State>
    const of = <Value>(value: Value | ((state: State) => Value)) => (value instanceof Function ? value(state) : value)
    const props = merge(
      { ...toData(state), ...ownProps },
      { ...given, className: of(className as string), style: of(style as CSSProperties) },
    )
    const joined = joinRefs(ownRef as AnyRef, ref)
    if (typeof render === 'function') return render({ ...props, ref: joined } as RenderProps, state)
    if (!render) return createElement(ownTag, { ...props, ref: joined })
    const element = render as ReactElement<Props>
    return cloneElement(element, { ...merge(props, element.props), ref: joinRefs(joined, refOf(element)) })
  }) as unknown as Part<tag, State, Own>
}

function split<Own>(all: Props, names: readonly string[]): [Own, Props] {
  const own: Props = {}
  const others: Props = {}
  for (const [name, value] of Object.entries(all)) (names.includes(name) ? own : others)[name] = value
  return [own as Own, others]
}

const toData = (state: object) =>
  Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) =>
      value === true || typeof value === 'string' ? [[`data-${name.toLowerCase()}`, value === true ? '' : value]] : [],
    ),
  )

/** Children, or a function of `data` that returns them. */
export type ChildrenOf<Data> = { children?: ReactNode | ((data: Data) => ReactNode) }

/** Returns the children, which may be a function of `data`. */
export const fill = <Data>(children: ChildrenOf<Data>['children'], data: Data): ReactNode =>
  typeof children === 'function' ? children(data) : children

/** Returns the value of a context, which the part `around` provides. */
export function within<Value>(value: Value | undefined, around: string): Value {
  if (value === undefined) throw new Error(`This part must be inside of ${around}.`)
  return value
}

// Without `tabIndex`, Safari does not focus a clicked button.
export const buttonProps = { type: 'button', tabIndex: 0 } as const

type Props = Record<string, unknown>

/**
 * Merges the props of an element with those that win over them. Joins classes and styles, and calls both handlers of an
 * event, the winning one first; `preventDefault` in it skips the other one.
 */
function merge(base: Props, over: Props): Props {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const own = base[name]
    if (value === undefined) continue
    if (name === 'className') merged[name] = [own, value].filter(Boolean).join(' ')
    else if (name === 'style') merged[name] = { ...(own as object), ...(value as object) }
    else if (/^on[A-Z]/.test(name) && typeof own === 'function' && typeof value === 'function')
      merged[name] = (event: { defaultPrevented?: boolean }) => {
        value(event)
        if (!event?.defaultPrevented) own(event)
      }
    else merged[name] = value
  }
  return merged
}

type AnyRef = Ref<unknown> | undefined

/** Returns the ref of an element: a prop since React 19. */
const refOf = (element: ReactElement<Props>): AnyRef =>
  version.startsWith('18.') ? (element as unknown as { ref?: AnyRef }).ref : (element.props.ref as AnyRef)

function joinRefs(a: AnyRef, b: AnyRef): AnyRef {
  if (!a || !b) return a ?? b
  return (value) => {
    for (const ref of [a, b])
      if (typeof ref === 'function') ref(value)
      else ref.current = value
  }
}

/** Returns whether `value` is `true`, or was before. */
export function useWasTrue(value: boolean): boolean {
  const [was, setWas] = useState(value)
  if (value && !was) setWas(true)
  return was || value
}

/**
 * Returns `value` until a dialog has been open, then the last value, so that the dialog does not change while it fades
 * out.
 */
export function useWhileOpen<Value>(isOpen: boolean, value: Value): Value {
  const wasOpen = useWasTrue(isOpen)
  const isLive = isOpen || !wasOpen
  const [last, setLast] = useState(value)
  if (isLive && value !== last) setLast(value)
  return isLive ? value : last
}
