import { styled } from '@mui/material/styles'
import { type ReactElement, useEffect, useRef } from 'react'
import { visuallyHidden } from '../../lib/theme.ts'

let region: HTMLElement | undefined

/** Milliseconds for which an announcement stays in the page; screen readers have taken it by then. */
const kept = 5_000

/** Has screen readers read a text after what they are reading. */
export function announce(text: string): void {
  const line = document.createElement('p')
  line.textContent = text
  region?.append(line)
  setTimeout(() => line.remove(), kept)
}

/**
 * Renders the element with the texts to announce. It is on every page from its start: screen readers announce what is added to
 * such an element, and nothing of one that appears together with its text. In a shadow root, because most of these texts
 * are also in the page, where searching it should find them once.
 */
export function Announcer() {
  return <Host ref={attach} />
}

function attach(host: HTMLElement | null): void {
  if (!host) return
  const live = document.createElement('div')
  live.setAttribute('aria-live', 'polite')
  roots.set(host, roots.get(host) ?? host.attachShadow({ mode: 'closed' }))
  roots.get(host)?.replaceChildren(live)
  region = live
}

/** A root can be attached only once. */
const roots = new WeakMap<HTMLElement, ShadowRoot>()

type AnnouncedProps = {
  /** Announces the text again only when this changes; by default when the text does. */
  about?: string
  children: string | false | undefined | readonly (ReactElement | false | undefined)[]
}

/** Renders a text, or elements, whose text is announced when it appears and when it changes. */
export function Announced({ about, children }: AnnouncedProps) {
  const element = useRef<HTMLSpanElement>(null)
  const last = useRef('')
  useEffect(() => {
    const text = element.current?.textContent.trim() ?? ''
    const subject = text && (about ?? text)
    if (subject && subject !== last.current) announce(text)
    last.current = subject
  })
  return children ? <span ref={element}>{children}</span> : null
}

/** Announces that something is loading, once for all that does, and only if it takes time. */
export function useAnnouncedLoading(text: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (![...(region?.children ?? [])].some((line) => line.textContent === text)) announce(text)
    }, 700)
    return () => clearTimeout(timer)
  }, [text])
}

const Host = styled('div')(visuallyHidden)
