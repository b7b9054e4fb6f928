/** The agent colors of Claude Code with their hue in degrees. */
const hues = {
  red: 0,
  orange: 30,
  yellow: 55,
  green: 125,
  cyan: 185,
  blue: 220,
  purple: 275,
  pink: 330,
} as const

/** The nearest agent color to an HSL value or color token; undefined for anything else. */
export function agentColor(color: string): string | undefined {
  const named = color.toLowerCase().match(/[a-z]+/g) ?? []
  const known = named.find(word => word in hues)
  if (known) return known
  const [, hue, saturation] = /(\d+(?:\.\d+)?)(?:deg)?[\s,]+(\d+(?:\.\d+)?)%/.exec(color) ?? []
  if (hue === undefined || Number(saturation) < 5) return undefined
  const distance = (to: number) => {
    const apart = Math.abs((Number(hue) % 360) - to)
    return Math.min(apart, 360 - apart)
  }
  return Object.entries(hues).sort(([, a], [, b]) => distance(a) - distance(b))[0]?.[0]
}
