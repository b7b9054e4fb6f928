import { CreateButton } from '../../parts/create-button.tsx'
import { late } from '../../parts/late.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'

/** The form of an opportunity; its script comes when a person points at what opens it. */
export const OpportunityDialog = late(() =>
  import('./opportunity-dialog.tsx').then(dialog => dialog.OpportunityDialog),
)

/** The button at the head of the list and of the board that opens the dialog for a new opportunity. */
export function CreateOpportunityButton({ onPress }: { onPress: () => void }) {
  const text = useWords(actionTexts)
  return (
    <CreateButton isShortOnPhone dialog={OpportunityDialog} onPress={onPress}>
      {text['create-opportunity']}
    </CreateButton>
  )
}
