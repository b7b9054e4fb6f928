export type Bump = 'patch' | 'minor' | 'major'

type Parts = { numbers: readonly [number, number, number]; isPrerelease: boolean }

function partsOf(version: string): Parts {
  const [core = '', ...prerelease] = version.split('-')
  const [major = 0, minor = 0, patch = 0] = core.split('.').map(Number)
  return { numbers: [major, minor, patch], isPrerelease: prerelease.length > 0 }
}

/** How many leading numbers the versions of a line share. */
const sharedNumbers = { major: 0, minor: 1, patch: 2 } as const

/**
 * The number that the server gives the next version (VER-8): after the highest one in the line of the active version. It
 * is what the buttons promise; the answer of the server is what counts.
 */
export function nextVersion(active: string, versions: readonly string[], bump: Bump): string {
  const shared = partsOf(active).numbers.slice(0, sharedNumbers[bump])
  const inLine = [active, ...versions]
    .map(partsOf)
    .filter(({ numbers }) => shared.every((number, at) => number === numbers[at]))
  const highest = inLine.reduce((one, other) => (isHigher(other, one) ? other : one))
  return increased(highest, bump).join('.')
}

function isHigher(one: Parts, other: Parts): boolean {
  for (const [at, number] of one.numbers.entries())
    if (number !== other.numbers[at]) return number > (other.numbers[at] ?? 0)
  return !one.isPrerelease && other.isPrerelease
}

/** As semantic versions are increased: a pre-release becomes the release that it prepares, if the bump is no larger. */
function increased({ numbers: [major, minor, patch], isPrerelease }: Parts, bump: Bump): number[] {
  if (bump === 'major') return isPrerelease && minor === 0 && patch === 0 ? [major, 0, 0] : [major + 1, 0, 0]
  if (bump === 'minor') return isPrerelease && patch === 0 ? [major, minor, 0] : [major, minor + 1, 0]
  return isPrerelease ? [major, minor, patch] : [major, minor, patch + 1]
}
