import { useRouter } from '@tanstack/react-router'
import { type Shortcuts, useShortcuts } from '../data/shortcuts.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { useHrefOf, useNavigation } from './destinations.ts'
import { openOverlay } from './overlays.ts'
import { shellTexts } from './shell.words.ts'

/** The keys that work on every screen: the palette, the list of keys, and those that lead to a screen. */
export function useShellShortcuts(): void {
  const text = useWords(shellTexts)
  const language = useLanguage()
  const router = useRouter()
  const hrefOf = useHrefOf()
  const destinations = useNavigation().flatMap(group => group.destinations)
  const leading: Shortcuts = Object.fromEntries(
    destinations
      .filter(({ lockedUntil }) => !lockedUntil)
      .flatMap(destination => {
        const { shortcut, label } = destination
        const action = () => void router.navigate({ href: hrefOf(destination) })
        return shortcut ? [[shortcut, { label: label[language], action }]] : []
      }),
  )
  useShortcuts({
    'mod+k': { label: text.search, action: () => openOverlay('palette') },
    '?': { label: text.keys, action: () => openOverlay('keys') },
    ...leading,
  })
}
