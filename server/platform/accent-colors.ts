/** An accent colour and the colour of text on it, each `#rrggbb`. */
export type AccentColors = { accent: string; onAccent: string }

/** The grounds of customers' pages and mails on which an accent is hardest to read: see `html-page.ts`. */
const grounds = { light: '#fbfaf8', dark: '#1d1c18' } as const
const ink = '#131310'
const white = '#ffffff'
/** The accents of the dashboard, see dashboard/styles/tokens.css. */
const defaults = {
  light: { accent: '#0b703f', onAccent: white },
  dark: { accent: '#67d191', onAccent: ink },
}
/** WCAG 2, level AA, for text. */
const leastContrast = 4.5

/**
 * The accent colour of an organization, `#rrggbb`, for both themes: darkened on light ground and lightened on dark ground
 * until text in it can be read. Null: the colours of the dashboard.
 */
export function accentColors(accent: string | null): { light: AccentColors; dark: AccentColors } {
  if (accent === null) return defaults
  return {
    light: { accent: readable(accent, '#000000', grounds.light), onAccent: white },
    dark: { accent: readable(accent, white, grounds.dark), onAccent: ink },
  }
}

/** The colour, with as little of another one mixed in as the ground demands. */
function readable(color: string, other: string, ground: string): string {
  const steps = 50
  for (let step = 0; step < steps; step++) {
    const mixed = mixColors(color, other, step / steps)
    if (contrast(mixed, ground) >= leastContrast) return mixed
  }
  return other
}

/** @param share of the other colour in the mixture */
export function mixColors(color: string, other: string, share: number): string {
  const theirs = channels(other)
  const mixed = channels(color).map((value, at) => Math.round(value + (theirs[at]! - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of two colours, `#rrggbb`, from 1 to 21 (WCAG 2). */
export function contrast(color: string, other: string): number {
  const [darker, lighter] = [luminance(color), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map(value => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}
