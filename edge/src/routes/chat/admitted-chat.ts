import { type Principal } from '../../middleware/principal.ts';
import { type Reservation } from '../../quota/reservation.ts';
import { type ParsedChat } from './turn-request.ts';

/** A valid request for a turn, who asks, and what was reserved of their quotas. */
export interface AdmittedChat {
  chat: ParsedChat;
  principal: Principal;
  reservation: Reservation;
}
