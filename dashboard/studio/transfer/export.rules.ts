import type { Asset } from '#contract/studio/assets.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'

/** The front matter that every client of Agent Skills knows (PKG-20). */
const portableKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
/** The longest description that every client accepts (PKG-21). */
const mostDescription = 1_024

/** One thing that the package has in another form than the asset. */
export type PackageChange =
  | { kind: 'keys'; keys: readonly string[] }
  | { kind: 'description-cut' | 'description-marks' | 'description-missing' | 'color' | 'nothing' }
  | { kind: 'manifests' }

/** The changes that a profile makes in the package of an asset, so that nobody is surprised after the download. */
export function changesOf(
  { type, description, frontmatter, color }: Pick<Asset, 'type' | 'description' | 'frontmatter' | 'color'>,
  profile: PackageProfile,
): PackageChange[] {
  const changes: PackageChange[] = []
  const isStrict = type === 'SKILL' && profile === 'agent-skills'
  const keys = Object.keys(frontmatter).filter(key => !portableKeys.includes(key))
  if (isStrict && keys.length > 0) changes.push({ kind: 'keys', keys })
  if (isStrict && [...description].length > mostDescription) changes.push({ kind: 'description-cut' })
  if (isStrict && /[<>]/.test(description)) changes.push({ kind: 'description-marks' })
  if ((type === 'SKILL' || type === 'AGENT') && description.trim() === '')
    changes.push({ kind: 'description-missing' })
  if (type === 'AGENT' && color !== null) changes.push({ kind: 'color' })
  if (type === 'PLUGIN') changes.push({ kind: 'manifests' })
  return changes.length > 0 ? changes : [{ kind: 'nothing' }]
}
