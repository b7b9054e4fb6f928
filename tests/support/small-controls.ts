import type { Page } from 'playwright-core'

const script = `(() => {
  const controls = 'a[href], button, input, select, textarea, summary, [role=tab]'
  const isHit = (control, x, y) => control.contains(document.elementFromPoint(x, y))
  const reach = (control, x, y, dx, dy) => {
    let at = 0
    while (at < 22 && isHit(control, x + dx * at, y + dy * at)) at += 1
    return at
  }
  return [...document.querySelectorAll(controls)].flatMap(found => {
    const control = found.closest('label') ?? found
    if (getComputedStyle(control).display === 'inline' || found.closest('[inert], [aria-hidden=true]')) return []
    control.scrollIntoView({ block: 'center', inline: 'center' })
    let { x, y, width, height } = control.getBoundingClientRect()
    if (width < 2 || height < 2) return []
    x += width / 2
    y += height / 2
    width = Math.max(width, reach(control, x, y, -1, 0) + reach(control, x, y, 1, 0))
    height = Math.max(height, reach(control, x, y, 0, -1) + reach(control, x, y, 0, 1))
    const needed = control.tagName === 'A' && control.textContent !== '' ? 24 : 43.5
    if (width >= needed && height >= needed) return []
    const name = (found.getAttribute('aria-label') ?? found.textContent).trim()
    return [control.tagName + ' “' + name + '” has ' + Math.round(width) + ' × ' + Math.round(height) + ' px']
  })
})()`

/**
 * The controls on a phone that a finger misses: they are less than 44 px wide or high, and links with words less than 24 px, but for
 * those inside sentences. The space around a control counts if a touch there reaches it.
 */
export function smallControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script)
}
