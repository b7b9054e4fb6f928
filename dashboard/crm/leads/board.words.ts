import { words } from '../../words/words.ts'

export const leadBoardTexts = words({
  es: {
    title: 'Leads',
    again: 'Intentar otra vez',
    isConverted: 'Un lead convertido ya no cambia de estado.',
    isLost: 'Un lead perdido se reabre como nuevo.',
    convertInstead: 'Se convierte en la página del lead.',
    notFrom: (from: string, to: string) => `De «${from}» no se pasa directamente a «${to}».`,
    score: 'Puntuación',
  },
  en: {
    title: 'Leads',
    again: 'Try again',
    isConverted: 'A converted lead keeps its status.',
    isLost: 'A lost lead is reopened as new.',
    convertInstead: 'Convert it on the page of the lead.',
    notFrom: (from: string, to: string) => `A lead does not go from “${from}” to “${to}” directly.`,
    score: 'Score',
  },
})
