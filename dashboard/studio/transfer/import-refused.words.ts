import { words } from '../../words/words.ts'

export const errorTexts = words({
  es: { mayNot: 'Tu rol no permite crear recursos. Pídeselo a quien administra la organización.' },
  en: { mayNot: 'Your role does not allow you to create assets. Ask an administrator of the organization.' },
})
