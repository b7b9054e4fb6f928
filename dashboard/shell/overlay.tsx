import { useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { useWords } from '../words/words.ts'
import { Drawer } from './drawer.tsx'
import { KeysHelp } from './keys-help.tsx'
import { leave } from './leave.ts'
import { closeOverlay, type Overlay as OverlayName } from './overlays.ts'
import { Palette } from './palette.tsx'
import { shellTexts } from './shell.words.ts'

/** The overlay that is open. Its script is loaded apart from the first page. */
export function Overlay({ overlay }: { overlay: OverlayName }) {
  if (overlay === 'palette') return <Palette />
  if (overlay === 'keys') return <KeysHelp />
  if (overlay === 'navigation') return <Drawer />
  return <SignOutEverywhere />
}

function SignOutEverywhere() {
  const text = useWords(shellTexts)
  const [isBusy, setBusy] = useState(false)
  return (
    <Confirm
      title={text.signOutEverywhereTitle}
      action={text.signOutEverywhereAction}
      isOpen
      isBusy={isBusy}
      onClose={closeOverlay}
      onConfirm={() => {
        setBusy(true)
        return leave('everywhere').finally(() => setBusy(false))
      }}
    >
      {text.signOutEverywhereAbout}
    </Confirm>
  )
}
