"""What a word looks like inside base64 and hexadecimal text.

A base64 text of something that holds a word must hold one of the word's three forms, one for each
place in a group of three bytes. The two lists are made from the words and from the beginnings of
the formats by `python -m hookstream.redaction.rules.forms`; a test holds them to the rules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.rules.rule import Rule

# Looked for in encoded text, besides the fixed beginnings of the token formats.
WORDS = (
    "password password= Password PASSWORD passwd secret Secret SECRET token Token TOKEN api_key "
    "apikey apiKey API_KEY Authorization authorization Bearer private_key PRIVATE -----BEGIN AKIA "
    "ASIA xoxb- xoxp- xoxa- sk-ant- sk-proj- sk_live_ rk_live_ sk_test_ github_pat_ SG. "
    "postgres:// postgresql:// mysql:// mongodb redis:// amqp:// https:// AccountKey Pwd= PWD= "
    "credential access_key _KEY= _PASS= _AUTH= eyJhb client_secret hooks.slack AGE-SECRET-KEY "
    "dop_v1_ ghs_ ghu_ fm2_ CCIPAT_ tskey- dckr_pat_ glsa_ sntry rzp_live_ hvs. 8Q~ sbp_ hf_ r8_ "
    "dp.pt. nfp_ NRAK- sk.eyJ PMAK- EZAK dt0c -us1 GOCSPX- EAAA"
).split()

BASE64 = (
    "0Z3BfdjFf 0ZXN0X 0ZnBf 0b2tlb 0c2tleS 0dmx5L 0tLS0tQkVHSU 11cz 15c3FsOi8v 1vYi 1vbmdvZG "
    "2MS4wL 2Y2Ff 2Y2lf 2Y2tf 2Y3Bf 2Y3Jf 2ZXJjZWxfYmxvYl9yd1 3YW5kYl92MV 3ZWJf 3aHNlY1 4YWkt "
    "4YXBwL 4a2V5c2liL 4b3hhL 4b3hiL 4b3hkL 4b3hlL 4b3hvL 4b3hwL 4b3hyL 4b3hzL 4c210cHNpYi 50bl "
    "52YXBpL 5SQUst 5YTI5L 5hcGlf 5hdGxhc3YxL 5mY1 5mZF 5mb1 5mcF 5mdV 5wbV 5yYWEt 5yYWst 5yYWwt "
    "5yYnIt 5yaWkt 5yanMt 5ycmEt 9BVVRIP 9LRVk9 9QQVNTP 9hdXRo 9jaWQxL 9naXRsYWJfc2Vzc2lvb "
    "9wc19leU 9yZ2FuaXphdGlvbn B1bC B3ZD B5cGkt BBU1NXT1JE BNQUst BQUFBQUFBQUFBQUFBQUFBQUFBQU "
    "BQlNL BR0UtU0VDUkVULUtFW BS0Nw BS0lB BS0lE BSSVZBVE BSXph BU0lB BUElfS0VZ BVEFUVD BVEJC "
    "BVENUVD BXRD BY2NvdW50S2V5 BdXRob3JpemF0aW9u BhY2thZ2lzdF Bhc3N3Z Bhc3N3b3Jk Bhc3N3b3JkP "
    "BhdC Bjc2tf Blcm Blcm0t BoY1 Boc1 Bocl BoeF BrLWxmL BrX2xpdmVf BrX3Rlc3Rf BtYWst BtYXQt BuYl "
    "BudV Bvc3RncmVzOi8v Bvc3RncmVzcWw6Ly BwbHgt ByaXZhdGVfa2V5 BzY2FsZV CZWFyZX DQ0lQQVRf "
    "DRlBBVC DTE9KQVJTX F1dGhvcml6YXRpb2 FBQUFBQUFBQUFBQUFBQUFBQUFBQ FCU0 FHRS1TRUNSRVQtS0VZ FJem "
    "FLQ3 FLSU FQSV9LRV FQUFB FTSU FUQ1RUM FUQVRUM FUQk FWkFL FjY291bnRLZX FjY2Vzc190b2tlb "
    "FjY2Vzc19rZX FrYWIt FtcXA6Ly Ftem4u Ftem4ubXdzL FwaS FwaUtle FwaV9rZX FwaV9vcmdf FwaWtle "
    "HT0NTUFgt HUjEzNDg5ND IUktVL J1YnlnZW1zX J6cF J6cF9saXZlX JkbWVf JlYXJlc JlZGlzOi8v "
    "JlZHJvY2stYXBpLWtleS JlbC JrX2xpdmVf JrY3Rf JrYWpf JrYXRf JrcHRf JrcnRf JrdWFf JrdXRf JuZF "
    "LS0tLS1CRUdJT LXVzM LmF0bGFzdjEu MVEFJ NDSVBBVF NFQ1JFV NGUEFUL NMT0pBUlNf NTV1 NhbmRib3hf "
    "NhdC NiX3B1Ymxpc2hhYmxlX NiX3NlY3JldF NicF NjaXBhdF NjaXByal Nkay NlY3Jld NlY3JldF NmYXRf "
    "Nma1 NmcGF0L NmdXRf NnZF NncF Nnd1 NoaXBwb1 NocGF0X NocGNhX NocGthX NocHBhX NocHJ0X NocHNzX "
    "NocHVhX NrLW5vbmUt NrLW9yL NrLW9yLXYxL NrLWFkbWluL NrLWFudC NrLWxmL NrLWxpdmUt NrLXByb2ot "
    "NrLXN2Y2FjY3Qt NrLXRlc3Qt NrLmV5S NrX2xpdmVf NrX3Rlc3Rf NsaS NsaWVudF9zZWNyZX Nsb2phcnNf "
    "NtVm1k NudHJ5 NudHJ5c1 NudHJ5dV NueWtf NxYV NxZF NxcF NxdV NyZWRlbnRpYW Nyc3Jf OFF+ OUkFLL "
    "Q0NJUEFUX Q0ZQQVQt Q0xPSkFSU1 QQVNTV09SR QTUFLL QUFBQUFBQUFBQUFBQUFBQUFBQUFB QUJTS "
    "QUdFLVNFQ1JFVC1LRV QUklWQVRF QUl6Y QUtDc QUtJQ QUtJR QV0Q9 QVBJX0tFW QVNJQ QVRBVFQz QVRCQ "
    "QVRDVFQz QWNjb3VudEtle QXV0aG9yaXphdGlvb QYXNzd29yZ Qd2Q9 QmVhcmVy R09DU1BYL R0MG "
    "R1IxMzQ4OTQx R1ZmZlbF R2bHkt RHOXJPb RPS0VO RUFBQ RVpBS RhcG Rja3Jf Rja3JfcGF0X RkYXBwX "
    "RkcGF0X Rlc3Rf RmcF RncF92MV Rua2V5L Rva2Vu Rvb192MV Rvc2 RvcF92MV Rvcl92MV RwLnB0L Rza2V5L "
    "SFJLVS TFRBS TRUNSRV TU1dT TZWNyZX TlJBSy U0VDUkVU U0cu U1NXU U2VjcmV0 UE1BSy UEFTU1dPUk "
    "UFJJVkFUR UFdEP UGFzc3dvcm UHdkP UT0tFT Ub2tlb UyYl V5SjBlWEFpT2lBaVZFTldNaUo5L V5Smhi "
    "V5SnJJam9p VBQU VE9LRU VG9rZW VaQU X0FVVEg9 X0tFWT X1BBU1M9 X2dpdGxhYl9zZXNzaW9u Y21WbW "
    "Y2NpcGF0X Y2NpcHJqX Y2Z1dF Y2ZhdF Y2ZrX Y2ZwYXQt Y2xpL Y2xpZW50X3NlY3Jld Y2xvamFyc1 "
    "Y3JlZGVudGlhb Y3Jzcl YW16bi YW16bi5td3Mu YW1xcDovL YWNjZXNzX2tle YWNjZXNzX3Rva2Vu YWthYi "
    "YXBpL YXBpS2V5 YXBpX29yZ1 YXBpX2tle YXBpa2V5 YXV0aG9yaXphdGlvb YmVkcm9jay1hcGkta2V5L Ymt1YV "
    "Ymt1dF Ymthal YmthdF YmtjdF YmtwdF YmtydF YxLjAt Z29jc3B4L Z2h1X Z2hvX Z2hwX Z2hyX Z2hzX "
    "Z2l0aHViX3BhdF Z2x3dC Z2xhZ2VudC Z2xjX Z2xjYnQt Z2xkdC Z2xmZmN0L Z2xmdC Z2xpbXQt Z2xvYXMt "
    "Z2xwYXQt Z2xwdHQt Z2xydC Z2xydHIt Z2xzYV Z2xzb2F0L Z3NrX ZEc5ck9t ZG5rZXkt ZG9vX3YxX "
    "ZG9wX3YxX ZG9yX3YxX ZG9zZ ZGFwa ZGNrcl ZGNrcl9wYXRf ZGRhcHBf ZGRwYXRf ZHAucHQu ZHQwY "
    "ZHVmZmVsX ZTJiX ZXlKMGVYQWlPaUFpVkVOV01pSjku ZXlKaG ZXlKcklqb2 ZjYV Zja1 ZjaV ZjcF Zjcl "
    "ZlcmNlbF9ibG9iX3J3X Zm0xYV Zm0xcl Zm0yX Zm8xX ZmlnZF ZmlnZHJf Zmlnb1 Zmlnb2hf Zmlnb3Jf "
    "ZmlndV ZmlvLXUt ZpZ29f ZpZ29oX ZpZ29yX ZpZ2Rf ZpZ2RyX ZpZ3Vf Zpby11L ZtMWFf ZtMXJf ZtMl ZvMV "
    "a190ZXN0X a19saXZlX a19wcm9kX a2V5L a2V5X a2xhdml5b1 aG9va3Muc2xhY2 aGN4aWtf aGN4bGtf "
    "aGN4bWtf aGNhaWtf aGNhbGtf aGNhbWtf aGNiaWtf aGNibGtf aGNibWtf aGV4cG1f aGZf aHJrdS aHR0cH "
    "aHR0cHM6Ly aHZiL aHZyL aHZzL b2F1dG b2NpZDEu b3BzX2V5S b3JnYW5pemF0aW9uc bGl2ZV bGluX bHN2Ml "
    "bW9iL bW9uZ29kY bXlzcWw6Ly bmFwaV bmZ1X bmZjX bmZkX bmZvX bmZwX bnBtX bnJhYS bnJhay bnJhbC "
    "bnJici bnJpaS bnJqcy bnJyYS bnRuX bnZhcGkt c250cn c250cnl1X c250cnlzX c255a1 c2F0L "
    "c2FuZGJveF c2Jfc2VjcmV0X c2JfcHVibGlzaGFibGVf c2JwX c2RrL c2VjcmV0 c2VjcmV0X c2d3X c2dkX "
    "c2dwX c2hpcHBvX c2hwY2Ff c2hwYXRf c2hwa2Ff c2hwc3Nf c2hwcGFf c2hwcnRf c2hwdWFf c2stYW50L "
    "c2stYWRtaW4t c2stb3It c2stb3ItdjEt c2stbGYt c2stbGl2ZS c2stbm9uZS c2stc3ZjYWNjdC c2stcHJvai "
    "c2stdGVzdC c2suZXlK c2tfbGl2ZV c2tfdGVzdF c3F1X c3FhX c3FkX c3FwX cG1hay cG1hdC cG51X cG5iX "
    "cG9zdGdyZXM6Ly cG9zdGdyZXNxbDovL cGF0L cGFja2FnaXN0X cGFzc3dk cGFzc3dvcm cGFzc3dvcmQ9 cGNza1 "
    "cGVyb cGVybS cGh4X cGhjX cGhyX cGhzX cGstbGYt cGtfbGl2ZV cGtfdGVzdF cHBseC cHJpdmF0ZV9rZX "
    "cHNjYWxlX cHVsL cHlwaS cjhf cm5kX cmRtZV cmVkaXM6Ly cmVsL cmtfbGl2ZV cnVieWdlbXNf cnpwX "
    "cnpwX2xpdmVf d2FuZGJfdjFf d2ViX d2hzZWNf dG9rZW dGVzdF dGZwX dGdwX3YxX dHNrZXkt dHZseS "
    "dPQ1NQWC dSMTM0ODk0M dhbmRiX3YxX djEuMC dlYl dmNhX dmNpX dmNrX dmNwX dmNyX "
    "dmVyY2VsX2Jsb2Jfcndf dob1 doc1 doc2VjX docF docl dodV dpdGh1Yl9wYXRf dsY1 dsY2J0L dsYWdlbnQt "
    "dsZHQt dsZmZjdC dsZnQt dsaW10L dsb2FzL dsc29hdC dsc2Ff dscGF0L dscHR0L dscnQt dscnRyL dsd3Qt "
    "dvY3NweC dza1 eG94YS eG94Yi eG94ZC eG94ZS eG94by eG94cC eG94ci eG94cy eGFpL eGFwcC "
    "eGtleXNpYi eHNtdHBzaWIt eWEyOS fQVVUSD fS0VZP fUEFTUz fZ2l0bGFiX3Nlc3Npb2 h0dHBz h0dHBzOi8v "
    "h2Yi h2ci h2cy hSS1Ut hY2Nlc3Nfa2V5 hY2Nlc3NfdG9rZW ha2FiL hbXFwOi8v hbXpuL hbXpuLm13cy "
    "hcGkt hcGlLZX hcGlfa2V5 hcGlfb3JnX hcGlrZX hdXRob3JpemF0aW9u hhaS hhcHAt hjYW1rX hjYWlrX "
    "hjYWxrX hjYm1rX hjYmlrX hjYmxrX hjeG1rX hjeGlrX hjeGxrX hleHBtX hrZXlzaWIt hvb2tzLnNsYWNr "
    "hveG8t hveGEt hveGIt hveGQt hveGUt hveHAt hveHIt hveHMt hya3Ut hzbXRwc2liL "
    "iZWRyb2NrLWFwaS1rZXkt ia2F0X ia2FqX ia2N0X ia3B0X ia3J0X ia3V0X ia3VhX jY2lwYXRf jY2lwcmpf "
    "jZmF0X jZmtf jZnBhdC jZnV0X jbG9qYXJzX jbGkt jbGllbnRfc2VjcmV0 jbVZtZ jcmVkZW50aWFs jcnNyX "
    "kRzlyT2 kY2tyX kY2tyX3BhdF kYXBp kZGFwcF kZHBhdF kb29fdjFf kb3BfdjFf kb3JfdjFf kb3Nl kbmtleS "
    "kcC5wdC kdDBj kdWZmZWxf lMmJf leUowZVhBaU9pQWlWRU5XTWlKOS leUpoY leUpySWpva lhMjku maW8tdS "
    "maWd1X maWdkX maWdkcl maWdvX maWdvaF maWdvcl mbTFhX mbTFyX mbTJf mbzFf naG9f naHBf naHJf "
    "naHNf naHVf naXRodWJfcGF0X nb2NzcHgt nbG9hcy nbGFnZW50L nbGNf nbGNidC nbGR0L nbGZ0L "
    "nbGZmY3Qt nbGltdC nbHB0dC nbHBhdC nbHJ0L nbHJ0ci nbHNhX nbHNvYXQt nbHd0L nc2tf oY2Fpa1 "
    "oY2Fsa1 oY2Fta1 oY2Jpa1 oY2Jsa1 oY2Jta1 oY3hpa1 oY3hsa1 oY3hta1 oZXhwbV ob29rcy5zbGFja "
    "ocmt1L odHRwc odHRwczovL odmIu odnIu odnMu rX2xpdmVf rX3Byb2Rf rX3Rlc3Rf rZXkt rZXlf "
    "rbGF2aXlvX saW5f saXZlX sc3YyX tLS0tLUJFR0lO tb25nb2Ri tb2It tdXMx teXNxbDovL tfbGl2ZV "
    "tfcHJvZF tfdGVzdF tleS tleV tsYXZpeW9f uYXBpX uYXRsYXN2MS uZm9f uZmNf uZmRf uZnBf uZnVf "
    "ucG1f ucmFhL ucmFrL ucmFsL ucmJyL ucmlpL ucmpzL ucnJhL udG5f udmFwaS vY2lkMS vYXV0a "
    "vcHNfZXlK vcmdhbml6YXRpb25z wY3NrX wYWNrYWdpc3Rf wYXNzd2 wYXNzd29yZ wYXNzd29yZD wYXQt wYXQu "
    "wZXJt wZXJtL wa190ZXN0X wa19saXZlX waGNf waHJf waHNf waHhf way1sZi wb3N0Z3Jlc3FsOi8v "
    "wb3N0Z3JlczovL wbWF0L wbWFrL wbmJf wbnVf wc2NhbGVf wcGx4L wcml2YXRlX2tle wdWwt weXBpL xUQU "
    "xpbl xpdmVf xzdjJf yZG1lX yZWRpczovL yZWwt ya19saXZlX ybmRf ydWJ5Z2Vtc1 yenBf yenBfbGl2ZV "
    "zYW5kYm94X zYXQu zYl9wdWJsaXNoYWJsZV zYl9zZWNyZXRf zYnBf zZ2Rf zZ3Bf zZ3df zZGst zZWNyZX "
    "zZWNyZXRf za190ZXN0X za19saXZlX zaGlwcG9f zaHB1YV zaHBhdF zaHBjYV zaHBrYV zaHBwYV zaHBydF "
    "zaHBzc1 zay10ZXN0L zay1hZG1pbi zay1hbnQt zay1sZi zay1saXZlL zay1ub25lL zay1vci zay1vci12MS "
    "zay1wcm9qL zay1zdmNhY2N0L zay5leU zbnRye zbnRyeXNf zbnRyeXVf zbnlrX zcWFf zcWRf zcXBf zcXVf"
).split()

HEX = (
    "2d2d2d2d2d424547494e 2d757331 2e61746c617376312e 414141414141414141414141414141414141414141 "
    "4142534b 4147452d5345435245542d4b4559 41497a61 414b4370 414b4941 414b4944 4150495f4b4559 "
    "41534941 415441545433 41544242 415443545433 4163636f756e744b6579 417574686f72697a6174696f6e "
    "426561726572 4343495041545f 43465041542d 434c4f4a4152535f 45414141 455a414b 474f435350582d "
    "475231333438393431 48524b552d 4c544149 4e52414b2d 50415353574f5244 504d414b2d 50524956415445 "
    "5057443d 50617373776f7264 5077643d 534543524554 53535753 536563726574 544f4b454e 546f6b656e "
    "5f415554483d 5f4b45593d 5f504153533d 5f6769746c61625f73657373696f6e 6163636573735f6b6579 "
    "6163636573735f746f6b656e 616b61622d 616d71703a2f2f 616d7a6e2e 616d7a6e2e6d77732e 6170692d "
    "6170694b6579 6170695f6b6579 6170695f6f72675f 6170696b6579 617574686f72697a6174696f6e "
    "626564726f636b2d6170692d6b65792d 626b616a5f 626b61745f 626b63745f 626b70745f 626b72745f "
    "626b75615f 626b75745f 6363697061745f 63636970726a5f 636661745f 63666b5f 63667061742d "
    "636675745f 636c692d 636c69656e745f736563726574 636c6f6a6172735f 636d566d64 "
    "63726564656e7469616c 637273725f 644739724f6d 64617069 64636b725f 64636b725f7061745f "
    "64646170705f 64647061745f 646e6b65792d 646f6f5f76315f 646f705f76315f 646f725f76315f 646f7365 "
    "64702e70742e 64743063 64756666656c5f 6532625f 65794a30655841694f69416956454e574d694a392e "
    "65794a6862 65794a72496a6f69 666967645f 66696764725f 6669676f5f 6669676f685f 6669676f725f "
    "666967755f 66696f2d752d 666d31615f 666d31725f 666d325f 666f315f 67686f5f 6768705f 6768725f "
    "6768735f 6768755f 6769746875625f7061745f 676c6167656e742d 676c635f 676c6362742d 676c64742d "
    "676c666663742d 676c66742d 676c696d742d 676c6f61732d 676c7061742d 676c7074742d 676c72742d "
    "676c7274722d 676c73615f 676c736f61742d 676c77742d 676f637370782d 67736b5f 686361696b5f "
    "6863616c6b5f 6863616d6b5f 686362696b5f 6863626c6b5f 6863626d6b5f 686378696b5f 6863786c6b5f "
    "6863786d6b5f 686578706d5f 686f6f6b732e736c61636b 68726b752d 6874747073 68747470733a2f2f "
    "6876622e 6876722e 6876732e 6b5f6c6976655f 6b5f70726f645f 6b5f746573745f 6b65792d 6b65795f "
    "6b6c617669796f5f 6c696e5f 6c6976655f 6c7376325f 6d6f622d 6d6f6e676f6462 6d7973716c3a2f2f "
    "6e6170695f 6e66635f 6e66645f 6e666f5f 6e66705f 6e66755f 6e706d5f 6e7261612d 6e72616b2d "
    "6e72616c2d 6e7262722d 6e7269692d 6e726a732d 6e7272612d 6e746e5f 6e766170692d 6f61757468 "
    "6f636964312e 6f70735f65794a 6f7267616e697a6174696f6e73 7061636b61676973745f 706173737764 "
    "70617373776f7264 70617373776f72643d 7061742d 7061742e 7063736b5f 7065726d 7065726d2d "
    "7068635f 7068725f 7068735f 7068785f 706b2d6c662d 706b5f6c6976655f 706b5f746573745f "
    "706d616b2d 706d61742d 706e625f 706e755f 706f7374677265733a2f2f 706f737467726573716c3a2f2f "
    "70706c782d 707269766174655f6b6579 707363616c655f 70756c2d 707970692d 72646d655f "
    "72656469733a2f2f 72656c2d 726b5f6c6976655f 726e645f 7275627967656d735f 727a705f "
    "727a705f6c6976655f 73616e64626f785f 7361742e 73625f7075626c69736861626c655f "
    "73625f7365637265745f 7362705f 73646b2d 736563726574 7365637265745f 7367645f 7367705f "
    "7367775f 73686970706f5f 73687061745f 73687063615f 7368706b615f 73687070615f 73687072745f "
    "73687073735f 73687075615f 736b2d61646d696e2d 736b2d616e742d 736b2d6c662d 736b2d6c6976652d "
    "736b2d6e6f6e652d 736b2d6f722d 736b2d6f722d76312d 736b2d70726f6a2d 736b2d737663616363742d "
    "736b2d746573742d 736b2e65794a 736b5f6c6976655f 736b5f746573745f 736e747279 736e747279735f "
    "736e747279755f 736e796b5f 7371615f 7371645f 7371705f 7371755f 746573745f 7466705f "
    "7467705f76315f 746f6b656e 74736b65792d 74766c792d 76312e302d 7663615f 7663695f 76636b5f "
    "7663705f 7663725f 76657263656c5f626c6f625f72775f 77616e64625f76315f 7765625f 77687365635f "
    "7861692d 786170702d 786b65797369622d 786f78612d 786f78622d 786f78642d 786f78652d 786f786f2d "
    "786f78702d 786f78722d 786f78732d 78736d74707369622d 796132392e"
).split()


def beginnings(rules: tuple[Rule, ...]) -> set[str]:
    """The fixed beginnings of the formats, four characters or more."""
    import re

    literal = re.compile(r"\\b([A-Za-z0-9_-]{2,}(?:\\\.)?)(?![|?*+{])")
    found = set()
    for rule in rules:
        head = literal.match(rule.pattern)
        if head is not None and rule.weight == 2:
            found.add(head[1].replace("\\", ""))
        found.update(word for word in rule.keywords if word[-1] in "_-." and word[0] not in "_-")
    return {word for word in found if len(word) >= 4}


def base64_forms(word: str) -> list[str]:
    """The characters that every base64 text of something holding the word must hold."""
    from binascii import b2a_base64

    data = word.encode()
    forms = []
    for shift in range(3):
        text = b2a_base64(bytes(shift) + data, newline=False).decode()
        first = (shift * 8 + 5) // 6
        last = (shift + len(data)) * 8 // 6
        forms.append(text[first:last])
    return [form for form in forms if len(form) >= 4]


def make() -> tuple[list[str], list[str]]:
    """The two lists as the rules of today ask for them."""
    from hookstream.redaction.rules import cloud, hosting, services

    words = {*WORDS, *beginnings(cloud.RULES + hosting.RULES + services.RULES)}
    forms = sorted({form for word in words for form in base64_forms(word)})
    return forms, sorted({word.encode().hex() for word in words if len(word) >= 4})


if __name__ == "__main__":
    for name, forms in zip(("BASE64", "HEX"), make(), strict=True):
        print(name, "=", " ".join(forms))
