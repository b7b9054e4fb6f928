import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'

/** The form of an opportunity; its script comes when a person points at what opens it. */
export const OpportunityDialog = late(() =>
  import('./opportunity-dialog.tsx').then(dialog => dialog.OpportunityDialog),
)

/** The primary action of the list and the board. On a phone, its words would leave no room for the title. */
export function CreateOpportunityButton({ onPress }: { onPress: () => void }) {
  const create = useWords(actionTexts)['create-opportunity']
  return (
    <Button
      kind="primary"
      icon="plus"
      shortcut="c"
      isShortOnPhone
      onPress={onPress}
      onHoverStart={OpportunityDialog.preload}
      onFocus={OpportunityDialog.preload}
    >
      {create}
    </Button>
  )
}
