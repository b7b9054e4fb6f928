import { Button } from '../../parts/button.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { CreateLeadDialog } from './lead-dialogs.tsx'

/** The button at the head of the list and of the board that opens the dialog for a new lead. */
export function CreateLeadButton({
  isSecondary = false,
  onPress,
}: {
  isSecondary?: boolean
  onPress: () => void
}) {
  const text = useWords(actionTexts)
  return (
    <Button
      kind={isSecondary ? 'secondary' : 'primary'}
      icon="plus"
      shortcut="c"
      onPress={onPress}
      onHoverStart={CreateLeadDialog.preload}
      onFocus={CreateLeadDialog.preload}
    >
      {text['create-lead']}
    </Button>
  )
}
