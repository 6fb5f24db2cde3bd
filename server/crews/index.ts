export { Crews, type CrewCaller, type CrewAction, type CrewOrder, type CrewsOptions } from './crews.ts';
export { endOf, LONGEST, type CrewSession } from './crew-sessions.ts';
export { isTo, LONGEST_MESSAGE, MARKS, receiptOf, type MessageOrder } from './messages.ts';
export { CODE_DIGITS } from './sign-in-codes.ts';
