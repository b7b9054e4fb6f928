import { CreateButton } from '../../parts/create-button.tsx'
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
    <CreateButton isSecondary={isSecondary} dialog={CreateLeadDialog} onPress={onPress}>
      {text['create-lead']}
    </CreateButton>
  )
}
