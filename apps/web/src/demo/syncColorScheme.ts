/** Follows the page's colour scheme, or else the system's. Returns a function that stops it. */
export function syncColorScheme(host: HTMLElement): () => void {
  const attribute = 'data-mui-color-scheme'
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const page = document.documentElement.getAttribute(attribute)
    host.dataset.scheme = page ?? (system.matches ? 'dark' : 'light')
  }
  const observer = new MutationObserver(apply)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [attribute] })
  system.addEventListener('change', apply)
  apply()
  return () => {
    observer.disconnect()
    system.removeEventListener('change', apply)
  }
}
