/** One value, or one below and one from 768 px. */
export type Responsive<Value> = Value | { smallScreen: Value; largeScreen: Value }

/** The screens on which an element with this `data-hidden` is hidden. */
export type Hidden = 'small' | 'large' | 'small large' | undefined

/**
 * Returns the screens on which `isHidden` holds. Elements are hidden by CSS, because HTML from a server must fit
 * every screen.
 */
export function hiddenOn<Value>(value: Responsive<Value>, isHidden: (value: Value) => boolean): Hidden {
  const { smallScreen, largeScreen } =
    typeof value === 'object' && value !== null && 'smallScreen' in value
      ? value
      : { smallScreen: value, largeScreen: value }
  if (isHidden(smallScreen)) return isHidden(largeScreen) ? 'small large' : 'small'
  return isHidden(largeScreen) ? 'large' : undefined
}
